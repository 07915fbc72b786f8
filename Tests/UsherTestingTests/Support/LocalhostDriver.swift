import LocalhostClient
import Usher
import UsherJSON
import UsherTesting

/// The driver of a session behind a socket.
final class LocalhostDriver: AppDriver {
    private(set) var state: [UInt8] = []
    private let client: LocalhostClient
    private var path = ""
    private var hasEnded = false

    /// A response with which a test cannot continue.
    struct Unanswered: Error, CustomStringConvertible {
        let description: String
    }

    init(port: Int, app: String, options: String) throws {
        client = LocalhostClient(port: port)
        let response = try client.request("POST", "/sessions", body: #"{"app":"\#(app)","options":\#(options)}"#)
        try keep(response, expecting: 201)
        path = response["Location"] ?? ""
    }

    var report: [UInt8]? {
        get throws {
            guard !hasEnded else { return nil }
            let response = try client.request("GET", "/admin\(path)/tree")
            guard response.status == 200 else { throw Unanswered(description: "status \(response.status)") }
            return response.body
        }
    }

    func handle(_ action: [UInt8]) throws -> Rejection? {
        let response = try client.request("POST", "\(path)/events", body: String(decoding: action, as: UTF8.self))
        guard response.status != 200 else {
            try keep(response, expecting: 200)
            return nil
        }
        let problem = try JSONDocument(parsing: response.body).root
        let type = problem[member: "type"]?.string ?? ""
        guard let kind = Self.kinds.first(where: { type.hasSuffix($0.0) })?.1 else {
            throw Unanswered(description: String(decoding: response.body, as: UTF8.self))
        }
        return Rejection(kind, problem[member: "detail"]?.string ?? "")
    }

    func advance(by duration: Duration) throws {
        throw Unanswered(description: "the clock is the server's")
    }

    func replay() -> ReplayMismatch? { nil }

    func end() throws -> [String] {
        guard !hasEnded else { return [] }
        _ = try client.request("DELETE", path)
        let totals = try JSONDocument(parsing: client.request("GET", "/admin/sessions").body).root
        let leaked = totals[member: "coordinators"]?[member: "leaked"]?.integer ?? 0
        return leaked == 0 ? [] : ["one of \(leaked) that leaked"]
    }

    private func keep(_ response: RawResponse, expecting status: Int) throws {
        let text = String(decoding: response.body, as: UTF8.self)
        guard response.status == status else { throw Unanswered(description: text) }
        state = response.body
        hasEnded = try JSONDocument(parsing: response.body).root[member: "ended"] != nil
    }

    private static let kinds: [(String, Rejection.Kind)] = [
        ("stale-screen", .stale), ("unacceptable-input", .invalid), ("malformed-body", .invalid),
        ("undrawable-screen", .undrawable),
        ("refused", .refused), ("limit-reached", .limit), ("handler-failed", .failed),
    ]
}
