/// A path segment, query parameter or header field of a request.
struct ContractParameter: Hashable, Sendable {
    enum ParameterPlace: String, Sendable {
        case path, query, header
    }

    let name: String
    let place: ParameterPlace
    let summary: String
    /// The schema as JSON text.
    let schema: String
    /// The parameter's name among the document's components, if another parameter has the same name.
    var alias: String?

    /// A Boolean value that indicates whether a query parameter is required.
    var isRequired = false

    var component: String { alias ?? name }
}

extension ContractParameter {
    static let session = ContractParameter(
        name: "id", place: .path, summary: "the session's id", schema: identifier)
    static let revision = ContractParameter(
        name: "revision", place: .path, summary: "a revision; the first is 1, unless the session has started over",
        schema: #"{"type":"integer","minimum":1,"maximum":9223372036854775807}"#)
    static let ifMatch = ContractParameter(
        name: "If-Match", place: .header,
        summary: "the request is rejected unless the session is at this revision, such as \"7\"",
        schema: entityTags)
    static let ifNoneMatch = ContractParameter(
        name: "If-None-Match", place: .header,
        summary: "the version that the client has; if it is current, the answer is 304",
        schema: entityTags)
    static let idempotencyKey = ContractParameter(
        name: "Idempotency-Key", place: .header,
        summary: "a name that the client chooses; a repeat of the request with this name gets the first answer",
        schema: #"{"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]+$"}"#)
    static let prefer = ContractParameter(
        name: "Prefer", place: .header,
        summary: "`wait=N`, where N is at most 60 seconds, or `respond-async` (RFC 7240)",
        schema: #"{"type":"string","examples":["wait=1","respond-async"]}"#)
    static let lastEventID = ContractParameter(
        name: "Last-Event-ID", place: .header, summary: "the newest revision that a reconnecting client has seen",
        schema: #"{"type":"string"}"#)
    static let afterSession = ContractParameter(
        name: "after", place: .query, summary: "the last session of the previous page", schema: identifier,
        alias: "after-session")
    static let afterRevision = ContractParameter(
        name: "after", place: .query, summary: "the last revision of the previous page",
        schema: #"{"type":"integer","minimum":0,"maximum":9223372036854775807}"#, alias: "after-revision")
    static let app = ContractParameter(
        name: "app", place: .query, summary: "only sessions of this app",
        schema: #"{"type":"string","minLength":1}"#)
    static let prefix = ContractParameter(
        name: "prefix", place: .query,
        summary: "only ids that begin with these digits; requires the order by id",
        schema: #"{"type":"string","pattern":"^[0-9a-f]{1,32}$"}"#)
    static let state = ContractParameter(
        name: "state", place: .query,
        summary: "only sessions in one state: awake (in this server's memory), hibernated (not in its memory), held "
            + "(on hold), or ended; ended requires subject",
        schema: #"{"type":"string","enum":["awake","hibernated","held","ended"]}"#)
    static let visible = ContractParameter(
        name: "visible", place: .query,
        summary: "the start of the visible screen's name; finds only sessions in this server's memory",
        schema: #"{"type":"string","minLength":1}"#)
    static let leaked = ContractParameter(
        name: "leaked", place: .query, summary: "only sessions with leaks",
        schema: #"{"type":"string","enum":["true"]}"#)
    static let sort = ContractParameter(
        name: "sort", place: .query, summary: "the order: `used` (last used first), `created` (newest first), or `id`",
        schema:
            #"{"type":"string","enum":["used","created","id"],"default":"id"}"#)
    static let afterListed = ContractParameter(
        name: "after", place: .query,
        summary: "the value of `next` in the previous page",
        schema: #"{"type":"string","pattern":"^(-?[0-9]{1,19}-)?[0-9a-f]{32}$"}"#, alias: "after-listed")
    static let subject = ContractParameter(
        name: "subject", place: .query, summary: "the user for whom a backend opened the sessions",
        schema: #"{"type":"string","minLength":1,"maxLength":255,"pattern":"\#(noControls)"}"#,
        isRequired: true)
    static let listedSubject = ContractParameter(
        name: "subject", place: .query, summary: "only sessions of this user; requires the order by id",
        schema: subject.schema, alias: "listed-subject")
    static let limit = ContractParameter(
        name: "limit", place: .query, summary: "the size of the page",
        schema: #"{"type":"integer","minimum":1,"maximum":1000,"default":100}"#)
    static let points = ContractParameter(
        name: "points", place: .query,
        summary: "the maximum number of revisions; revisions with leaks are returned in addition",
        schema: #"{"type":"integer","minimum":2,"maximum":2000,"default":500}"#)
    static let steps = ContractParameter(
        name: "points", place: .query, summary: "the maximum number of revisions; the newest are returned",
        schema: #"{"type":"integer","minimum":2,"maximum":2000,"default":500}"#, alias: "newest-points")
    static let exportForm = ContractParameter(
        name: "as", place: .query, summary: "the form of the export",
        schema: #"{"type":"string","enum":["curl","swift","json"],"default":"curl"}"#)
    static let lastRevision = ContractParameter(
        name: "revision", place: .query, summary: "the last revision (default: the newest)",
        schema: #"{"type":"integer","minimum":1,"maximum":9223372036854775807}"#, alias: "last-revision")
    static let appPart = ContractParameter(
        name: "app", place: .path, summary: "the name of an app", schema: #"{"type":"string","pattern":"^[!-~]+$"}"#,
        alias: "app-part")
    static let mapStates = ContractParameter(
        name: "states", place: .query, summary: "the maximum number of states to find",
        schema: #"{"type":"integer","minimum":500,"maximum":10000,"default":500}"#)
    static let mapDepth = ContractParameter(
        name: "depth", place: .query, summary: "the maximum number of inputs from the opening to a state",
        schema: #"{"type":"integer","minimum":100,"maximum":1000,"default":100}"#)
    static let mapSeconds = ContractParameter(
        name: "seconds", place: .query, summary: "the maximum duration of the exploration",
        schema: #"{"type":"integer","minimum":20,"maximum":600,"default":20}"#)
    static let token = ContractParameter(
        name: "token", place: .query, summary: "the operator's token, to log in with",
        schema: #"{"type":"string","pattern":"^[!-~]+$"}"#)

    /// Text without control characters, as `Unicode.Scalar.isControl` defines them.
    static let noControls = #"^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]+$"#
    private static let identifier = #"{"type":"string","pattern":"^[0-9a-f]{32}$"}"#
    /// A star, or a list of entity tags that contain no comma.
    private static let entityTags = #"""
        {"type":"string","pattern":"^([*]|(W/)?\"[!#-+.-~-]*\"( *, *(W/)?\"[!#-+.-~-]*\")*)$"}
        """#
}
