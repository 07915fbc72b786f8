package import UsherHTTP

/// A kind of request, identified by a method and a path, with all its possible responses.
package struct ContractOperation: Sendable {
    package let method: UsherHTTP.Method
    /// The path as a router pattern, with the names of its parameters in braces.
    package let path: String
    /// The operation's id, which code generators use.
    let name: String
    let summary: String
    private(set) var parameters: [ContractParameter] = []
    /// The name of the body's schema; nil if no body is read.
    private(set) var body: String?
    /// A Boolean value that indicates whether the body may be omitted.
    private(set) var isBodyOptional = false
    /// The successful responses.
    package let answers: [ContractAnswer]
    /// The problems that are specific to this operation.
    private(set) var problems: [ProblemKind] = []
    /// Additional statuses whose problem has the type `about:blank`.
    private(set) var statuses: [Status] = []
    /// The key that the operation requires.
    private(set) var key: ContractKey = .none
    /// A Boolean value that indicates whether the server does not require the key.
    private(set) var isOpen = false

    /// Returns the operation of a server that does not require some keys.
    func behind(_ openings: ContractOpenings) -> ContractOperation {
        var operation = self
        operation.isOpen = openings.include(self)
        return operation
    }

    /// The names of the query's parameters.
    package var queryNames: [String] { parameters.filter { $0.place == .query }.map(\.name) }

    /// All problems of the operation, by status.
    package var refusals: [ContractRefusal] {
        // Any request may arrive on a connection above the limit of its address.
        var kinds = problems + [.foreignHost, .foreignOrigin, .tooMuchFromAddress]
        // Any request may have an unknown parameter in its query.
        kinds.append(.malformedRequest)
        if !isOpen { kinds += key.problems }
        // With an operator's listener, the public port responds 404 to these requests.
        var blank = statuses + ContractRefusal.ofAnyRequest + (key == .operator ? [.notFound] : [])
        if body != nil { blank += [.unsupportedMediaType] }
        let all = Set(kinds.map(\.status)).union(blank)
        return all.sorted { $0.code < $1.code }.map { status in
            let types = ProblemKind.allCases.filter { $0.status == status && kinds.contains($0) }
            return ContractRefusal(status: status, kinds: types, isBlank: blank.contains(status))
        }
    }
}

/// The key that a request requires.
enum ContractKey: Sendable {
    case none
    /// A session's token, as a bearer token or in a cookie.
    case session
    /// The key of the apps' backend, or the operator's token.
    case backend
    case `operator`
    /// No key, but the backend's key allows more options.
    case widerForBackend
    /// No key, but the operator's token returns more information.
    case widerForOperator

    /// The problems of a request without the key.
    var problems: [ProblemKind] {
        switch self {
        case .none: []
        case .session, .backend, .operator: [.tokenNeeded, .wrongToken]
        case .widerForBackend: [.backendNeeded]
        case .widerForOperator: [.wrongToken]
        }
    }

    /// The alternative security schemes; nil stands for no key.
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

/// The security schemes of the document.
enum ContractScheme: String, CaseIterable {
    case session, sessionCookie, backend, `operator`
}

/// A successful response.
package struct ContractAnswer: Sendable {
    /// The content of a response.
    package enum Content: Sendable {
        case nothing
        /// JSON with the named schema.
        case json(String)
        /// A session's state, which a client can also request in the profile `changes`.
        case state
        /// The first state of a session with its token, which a client can also request in the profile `changes`.
        case opening
        /// Plain text; or, on request, JSON with the named schema.
        case text(orJSON: String)
        case events
        /// An HTML page.
        case page
        case plain
    }

    package let status: Status
    package let content: Content
    let summary: String
    var fields: [ContractField] = []

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

/// The problems of an operation that share a status.
package struct ContractRefusal: Hashable, Sendable {
    package let status: Status
    /// The problems with a `type` of their own.
    package let kinds: [ProblemKind]
    /// A Boolean value that indicates whether the `type` may also be `about:blank`.
    package let isBlank: Bool

    /// The statuses that any request can get: before the path is examined, when the server is full or stopping, and for
    /// an unsupported method.
    static let ofAnyRequest: [Status] =
        ofBrokenMessage + [.methodNotAllowed, .expectationFailed, .internalServerError, .serviceUnavailable]

    /// The statuses of a malformed or too large message; the connection closes, and the body may be an HTML page.
    static let ofBrokenMessage: [Status] = [
        .badRequest, .contentTooLarge, .uriTooLong, .requestHeaderFieldsTooLarge, .httpVersionNotSupported,
    ]
}

/// A header field of a response.
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
        case .allow: "the methods that the path allows"
        case .entityTag: "identifies this version of the answer; for a state, the revision"
        case .location: "the path of the new session, or of the page after a login"
        case .preferenceApplied: "the preference that the server followed"
        case .replayed: "true if this repeats the first answer to the Idempotency-Key"
        case .retryAfter: "the number of seconds to wait before trying again"
        case .setCookie: "the cookie of a login, or of a session"
        case .challenge: "the scheme for sending the token"
        }
    }
}
