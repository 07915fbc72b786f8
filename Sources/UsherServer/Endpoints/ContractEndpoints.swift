import Synchronization
import Usher
import UsherContract
import UsherHTTP
import UsherJSON

/// `GET /openapi.json`: the contract as a document for programs.
///
/// Anyone may read the general document, which has no more information than the manual. The types of the apps are only
/// for clients that may read `/apps`.
struct ContractEndpoints {
    /// The clients of a listener that may read the types of the apps.
    enum Readers {
        case everybody
        case operators(Access)
        case nobody

        /// Returns `true` if the sender may read the apps' types; throws `Problem` as `Access.caller(of:)` does.
        fileprivate func includes(_ request: Request) throws(Problem) -> Bool {
            switch self {
            case .everybody: true
            case .operators(let access): try access.caller(of: request) != .anyone
            case .nobody: false
            }
        }
    }

    private let whole: LazyContract
    private let common: LazyContract

    /// Creates the endpoint; `openings` are the endpoints that need no credentials.
    init(apps: [any App.Type], version: String, openings: ContractOpenings) {
        whole = LazyContract(apps, version, openings)
        common = LazyContract([], version, openings)
    }

    /// Creates the documents before the first request; throws `JSONError` if an app's options do not encode.
    func write() throws {
        for document in [whole, common] { try document.write() }
    }

    /// Adds the document to a listener's routes, and replaces an existing document.
    func add(to router: inout Router, for readers: Readers) {
        router.on(.get, "/openapi.json") { [whole, common] request, _ in
            try (readers.includes(request) ? whole : common).respond(to: request)
        }
    }
}

/// A document that is created only once, at the latest on the first request.
private final class LazyContract: Sendable {
    private let apps: [any App.Type]
    private let version: String
    private let openings: ContractOpenings
    private let kept = Mutex<Response?>(nil)

    init(_ apps: [any App.Type], _ version: String, _ openings: ContractOpenings) {
        self.apps = apps
        self.version = version
        self.openings = openings
    }

    func write() throws {
        _ = try document()
    }

    /// Returns the document, compressed if the client accepts gzip, or a 304 if the client already has the document.
    ///
    /// - Throws: `Problem` 400 for a malformed `If-None-Match`; `JSONError` if an app's options do not encode.
    func respond(to request: Request) throws -> Response {
        try document().repeatable(for: request)
    }

    private func document() throws -> Response {
        try kept.withLock { kept in
            if let kept { return kept }
            let json = try ContractDocument(of: apps, version: version, openings: openings).json
            // `private`: the document depends on the client; `no-cache`: a new build may have another document.
            let response = Response.json(json, headers: ["Cache-Control": "private, no-cache"])
            kept = response
            return response
        }
    }
}
