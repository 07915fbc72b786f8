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
        name: "If-Match", place: .header, summary: "the request counts only at this revision, such as \"7\"",
        schema: entityTags)
    static let ifNoneMatch = ContractParameter(
        name: "If-None-Match", place: .header, summary: "what the client has already, which is a 304 then",
        schema: entityTags)
    static let idempotencyKey = ContractParameter(
        name: "Idempotency-Key", place: .header,
        summary: "the client's name for the request, under which it gets the first answer again",
        schema: #"{"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]+$"}"#)
    static let prefer = ContractParameter(
        name: "Prefer", place: .header, summary: "wait=N, up to 60 s, or respond-async (RFC 7240)",
        schema: #"{"type":"string","examples":["wait=1","respond-async"]}"#)
    static let lastEventID = ContractParameter(
        name: "Last-Event-ID", place: .header, summary: "the newest revision that a client which comes back has seen",
        schema: #"{"type":"string"}"#)
    static let afterSession = ContractParameter(
        name: "after", place: .query, summary: "the last session of the page before", schema: identifier,
        alias: "after-session")
    static let afterRevision = ContractParameter(
        name: "after", place: .query, summary: "the last revision of the page before",
        schema: #"{"type":"integer","minimum":0,"maximum":9223372036854775807}"#, alias: "after-revision")
    static let app = ContractParameter(
        name: "app", place: .query, summary: "the app that sessions must be of",
        schema: #"{"type":"string","minLength":1}"#)
    static let prefix = ContractParameter(
        name: "prefix", place: .query, summary: "the digits with which ids begin; in the order of ids alone",
        schema: #"{"type":"string","pattern":"^[0-9a-f]{1,32}$"}"#)
    static let state = ContractParameter(
        name: "state", place: .query,
        summary: "in the memory of the server that answers, not there, on hold, or ended (only with a subject)",
        schema: #"{"type":"string","enum":["awake","hibernated","held","ended"]}"#)
    static let visible = ContractParameter(
        name: "visible", place: .query,
        summary: "how the visible screen's name begins, of sessions in the memory of the server that answers",
        schema: #"{"type":"string","minLength":1}"#)
    static let leaked = ContractParameter(
        name: "leaked", place: .query, summary: "those that have leaked alone",
        schema: #"{"type":"string","enum":["true"]}"#)
    static let sort = ContractParameter(
        name: "sort", place: .query, summary: "the last used first, the newest first, or by ids",
        schema:
            #"{"type":"string","enum":["used","created","id"],"default":"id"}"#)
    static let afterListed = ContractParameter(
        name: "after", place: .query,
        summary: "the place behind which the page begins, as `next` of the page before has it",
        schema: #"{"type":"string","pattern":"^(-?[0-9]{1,19}-)?[0-9a-f]{32}$"}"#, alias: "after-listed")
    static let subject = ContractParameter(
        name: "subject", place: .query, summary: "the user for whom a backend has opened sessions",
        schema: #"{"type":"string","minLength":1,"maxLength":255,"pattern":"\#(noControls)"}"#,
        isRequired: true)
    static let listedSubject = ContractParameter(
        name: "subject", place: .query, summary: "the user that sessions must be of; in the order of ids alone",
        schema: subject.schema, alias: "listed-subject")
    static let limit = ContractParameter(
        name: "limit", place: .query, summary: "the size of the page",
        schema: #"{"type":"integer","minimum":1,"maximum":1000,"default":100}"#)
    static let points = ContractParameter(
        name: "points", place: .query, summary: "the revisions at most that are told of, beside those that leaked",
        schema: #"{"type":"integer","minimum":2,"maximum":2000,"default":500}"#)
    static let steps = ContractParameter(
        name: "points", place: .query, summary: "the newest revisions at most that are told of",
        schema: #"{"type":"integer","minimum":2,"maximum":2000,"default":500}"#, alias: "newest-points")
    static let exportForm = ContractParameter(
        name: "as", place: .query, summary: "the form of the export",
        schema: #"{"type":"string","enum":["curl","swift","json"],"default":"curl"}"#)
    static let lastRevision = ContractParameter(
        name: "revision", place: .query, summary: "the last revision; the newest where left out",
        schema: #"{"type":"integer","minimum":1,"maximum":9223372036854775807}"#, alias: "last-revision")
    static let appPart = ContractParameter(
        name: "app", place: .path, summary: "the name of an app", schema: #"{"type":"string","pattern":"^[!-~]+$"}"#,
        alias: "app-part")
    static let mapStates = ContractParameter(
        name: "states", place: .query, summary: "the states that the exploration may find",
        schema: #"{"type":"integer","minimum":500,"maximum":10000,"default":500}"#)
    static let mapDepth = ContractParameter(
        name: "depth", place: .query, summary: "the inputs of a path that the exploration may follow",
        schema: #"{"type":"integer","minimum":100,"maximum":1000,"default":100}"#)
    static let mapSeconds = ContractParameter(
        name: "seconds", place: .query, summary: "the time that the exploration may take",
        schema: #"{"type":"integer","minimum":20,"maximum":600,"default":20}"#)
    static let token = ContractParameter(
        name: "token", place: .query, summary: "the operator's token: begins a login",
        schema: #"{"type":"string","pattern":"^[!-~]+$"}"#)

    /// Text without control characters, as `Unicode.Scalar.isControl` defines them.
    static let noControls = #"^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]+$"#
    private static let identifier = #"{"type":"string","pattern":"^[0-9a-f]{32}$"}"#
    /// A star, or a list of entity tags that contain no comma.
    private static let entityTags = #"""
        {"type":"string","pattern":"^([*]|(W/)?\"[!#-+.-~-]*\"( *, *(W/)?\"[!#-+.-~-]*\")*)$"}
        """#
}
