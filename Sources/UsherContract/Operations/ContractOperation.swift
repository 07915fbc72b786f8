package import UsherHTTP

/// One request that the server answers, with all that the answer may be: a method on a path.
package struct ContractOperation: Sendable {
    package let method: UsherHTTP.Method
    /// The path, with the names of its parameters in braces, as the router has it.
    package let path: String
    /// The name under which generators know it.
    let name: String
    let summary: String
    private(set) var parameters: [ContractParameter] = []
    /// The schema of the body; nil where none is read.
    private(set) var body: String?
    /// True of a body that may be left out.
    private(set) var isBodyOptional = false
    /// Its successes.
    package let answers: [ContractAnswer]
    /// The problems of its own that it may be answered with.
    private(set) var problems: [ProblemKind] = []
    /// Further statuses whose problem has no type but `about:blank`.
    private(set) var statuses: [Status] = []
    /// The secret that opens it.
    private(set) var key: ContractKey = .none
    /// True on a server that does not ask for its secret.
    private(set) var isOpen = false

    /// Returns the operation as a server has it that does not ask for some keys.
    func behind(_ openings: ContractOpenings) -> ContractOperation {
        var operation = self
        operation.isOpen = openings.include(self)
        return operation
    }

    /// The names of the parameters that its query may have.
    package var queryNames: [String] { parameters.filter { $0.place == .query }.map(\.name) }

    /// All problems that it may be answered with, by status.
    package var refusals: [ContractRefusal] {
        // Whatever it asks for, its connection may be one more than its address may have.
        var kinds = problems + [.foreignHost, .foreignOrigin, .tooMuchFromAddress]
        // Whatever a path takes, its query may have a parameter that it does not take.
        kinds.append(.malformedRequest)
        if !isOpen { kinds += key.problems }
        // Beside a listener of the operator's own, the public port has nothing of this.
        var blank = statuses + ContractRefusal.ofAnyRequest + (key == .operator ? [.notFound] : [])
        if body != nil { blank += [.unsupportedMediaType] }
        let all = Set(kinds.map(\.status)).union(blank)
        return all.sorted { $0.code < $1.code }.map { status in
            let types = ProblemKind.allCases.filter { $0.status == status && kinds.contains($0) }
            return ContractRefusal(status: status, kinds: types, isBlank: blank.contains(status))
        }
    }
}

/// The secret that opens what a request asks for.
enum ContractKey: Sendable {
    /// None: it is anybody's.
    case none
    /// A session's token, as a bearer or in a cookie.
    case session
    /// The key of the apps' backend, or the operator's token.
    case backend
    /// The operator's token.
    case `operator`
    /// None, but the backend's key lets it ask for more.
    case widerForBackend
    /// None, but the operator's token shows more.
    case widerForOperator

    /// The refusals of who has not got it.
    var problems: [ProblemKind] {
        switch self {
        case .none: []
        case .session, .backend, .operator: [.tokenNeeded, .wrongToken]
        case .widerForBackend: [.backendNeeded]
        case .widerForOperator: [.wrongToken]
        }
    }

    /// The security schemes, of which one is enough; nil stands for none at all.
    var schemes: [ContractScheme?] {
        switch self {
        case .none: []
        case .session: [.session, .sessionCookie]
        case .backend: [.backend, .operator]
        case .operator: [.operator]
        case .widerForBackend: [nil, .backend]
        case .widerForOperator: [nil, .operator]
        }
    }
}

/// A security scheme of the document.
enum ContractScheme: String, CaseIterable {
    case session, sessionCookie, backend, `operator`
}

/// A success: its status and its content.
package struct ContractAnswer: Sendable {
    /// The content of an answer.
    package enum Content: Sendable {
        case nothing
        /// JSON, by the name of its schema.
        case json(String)
        /// A session's state, in the profile `changes` as well.
        case state
        /// The first state of a session, with its token, in the profile `changes` as well.
        case opening
        /// Plain text, or where that is asked for JSON, by the name of its schema.
        case text(orJSON: String)
        /// Server-sent events.
        case events
        /// A page of HTML.
        case page
        /// Plain text.
        case plain
    }

    package let status: Status
    package let content: Content
    let summary: String
    var fields: [ContractField] = []

    /// True of a session's state.
    var isState: Bool {
        switch content {
        case .state, .opening, .json("State"), .json("Opened"): true
        default: false
        }
    }

    init(_ status: Status, _ content: Content, _ summary: String, _ fields: [ContractField] = []) {
        self.status = status
        self.content = content
        self.summary = summary
        self.fields = fields
    }
}

/// The problems of an operation that have one status.
package struct ContractRefusal: Hashable, Sendable {
    package let status: Status
    /// The problems that have a type of their own.
    package let kinds: [ProblemKind]
    /// True where it may also be `about:blank`.
    package let isBlank: Bool

    /// The statuses that any request may be answered with, whatever it asks for: before anybody looks at its path, by a
    /// server that has no room or is about to go, and to another method.
    static let ofAnyRequest: [Status] =
        ofBrokenMessage + [.methodNotAllowed, .expectationFailed, .internalServerError, .serviceUnavailable]

    /// The statuses of a message that is no HTTP, or too large to be read: the connection ends, maybe with a page of HTML.
    static let ofBrokenMessage: [Status] = [
        .badRequest, .contentTooLarge, .uriTooLong, .requestHeaderFieldsTooLarge, .httpVersionNotSupported,
    ]
}

/// A field of an answer.
enum ContractField: String, Sendable, CaseIterable {
    case allow = "Allow"
    case entityTag = "ETag"
    case location = "Location"
    case preferenceApplied = "Preference-Applied"
    case replayed = "Idempotent-Replayed"
    case retryAfter = "Retry-After"
    case setCookie = "Set-Cookie"
    case challenge = "WWW-Authenticate"

    var summary: String {
        switch self {
        case .allow: "the methods that the path takes"
        case .entityTag: "the revision, or what else tells this answer from others"
        case .location: "where to go on"
        case .preferenceApplied: "the preference that the answer followed"
        case .replayed: "true where it is the first answer to the key again"
        case .retryAfter: "the seconds after which to try again"
        case .setCookie: "the cookie of a login, or of a session"
        case .challenge: "the scheme in which the token is sent"
        }
    }
}
