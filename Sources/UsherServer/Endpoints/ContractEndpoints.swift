import Synchronization
import Usher
import UsherContract
import UsherHTTP
import UsherJSON

/// `GET /openapi.json`: the contract as a document, that programs read.
///
/// Anybody may have that of any server, which says no more than the manual; it tells the apps' own types only to whom `/apps`
/// is open.
struct ContractEndpoints {
    /// Those among a listener's clients who are told the apps' own types.
    enum Readers {
        case everybody
        case operators(Access)
        case nobody

        /// - Throws: `Problem`, as `Access.caller(of:)` does.
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

    /// - Parameters:
    ///   - apps: The apps.
    ///   - version: The server's version.
    ///   - openings: The keys that the server does not ask for.
    init(apps: [any App.Type], version: String, openings: ContractOpenings) {
        whole = LazyContract(apps, version, openings)
        common = LazyContract([], version, openings)
    }

    /// Writes the documents, which are otherwise written at the first request.
    ///
    /// - Throws: `JSONError` when an app's options do not encode.
    func write() throws {
        for document in [whole, common] { try document.write() }
    }

    /// Adds the document to a listener's routes, in the place of one that is there.
    func add(to router: inout Router, for readers: Readers) {
        router.on(.get, "/openapi.json") { [whole, common] request, _ in
            try (readers.includes(request) ? whole : common).respond(to: request)
        }
    }
}

/// A document that is written once, at the latest at the first request.
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

    /// The document, compressed for a client that takes that, or a 304 for who has it.
    ///
    /// - Throws: `Problem` 400 for a condition that cannot be read; `JSONError` when an app's options do not encode.
    func respond(to request: Request) throws -> Response {
        try document().repeatable(for: request)
    }

    private func document() throws -> Response {
        try kept.withLock { kept in
            if let kept { return kept }
            let json = try ContractDocument(of: apps, version: version, openings: openings).json
            // Private: it differs by who asks. Asked for again each time, for a new build may have another.
            let response = Response.json(json, headers: ["Cache-Control": "private, no-cache"])
            kept = response
            return response
        }
    }
}
