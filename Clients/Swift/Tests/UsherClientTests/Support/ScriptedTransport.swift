import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// A transport whose server is a function of the request, and that records all requests.
final class ScriptedTransport: Transport {
    /// A request as the script sees it.
    struct Request: Sendable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: JSON?

        var isStream: Bool { path.hasSuffix("/stream") }
        var isOpening: Bool { path == "/sessions" }
        var isEvent: Bool { path.hasSuffix("/events") }
    }

    private let answer: @Sendable (Request, Int) async throws -> TransportResponse
    private let recorded = Mutex<[Request]>([])

    /// - Parameter answer: Called with each request and the number of requests so far, including this one.
    init(_ answer: @escaping @Sendable (Request, Int) async throws -> TransportResponse) {
        self.answer = answer
    }

    var requests: [Request] { recorded.withLock { $0 } }
    var events: [Request] { requests.filter(\.isEvent) }

    func begin(_ request: TransportRequest) async throws -> TransportResponse {
        let path = try #require(URL(string: request.url)).path
        let body = try request.body.map { try JSONDecoder().decode(JSON.self, from: $0) }
        let seen = Request(method: request.method, path: path, headers: request.headers, body: body)
        let count = recorded.withLock { recorded in
            recorded.append(seen)
            return recorded.count
        }
        return try await answer(seen, count)
    }
}

/// The error of a failed connection.
struct Unreachable: Error {}

/// A stream whose events a test sends.
struct ScriptedStream: Sendable {
    let response: TransportResponse
    private let continuation: TransportResponse.Body.Continuation

    init(_ states: JSON...) {
        let (body, continuation) = TransportResponse.Body.makeStream()
        self.continuation = continuation
        response = TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
        for state in states { tell(state) }
    }

    func write(_ text: String) { continuation.yield(Data(text.utf8)) }

    func tell(_ state: JSON) { send(["event": "state", "id": state["revision"] ?? 0, "data": state]) }

    /// Sends an event that the conformance kit's files contain.
    func send(_ event: JSON) {
        let data = (try? JSONEncoder().encode(event["data"] ?? [:])) ?? Data()
        let id = event["id"]?.int.map { "id: \($0)\n" } ?? ""
        write("\(id)event: \(event["event"]?.text ?? "")\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
    }

    func fail() { continuation.finish(throwing: Unreachable()) }
}

extension TransportResponse {
    /// Returns a response with a JSON body, or with a text that is not JSON.
    static func json(_ body: JSON?, status: Int = 200, headers: [String: String] = [:]) -> TransportResponse {
        if case .string(let text)? = body { return .text(text, status: status, headers: headers) }
        let data = body.flatMap { try? JSONEncoder().encode($0) } ?? Data()
        return .text(String(decoding: data, as: UTF8.self), status: status, headers: headers)
    }

    static func text(_ text: String, status: Int, headers: [String: String] = [:]) -> TransportResponse {
        let (body, continuation) = Body.makeStream()
        if !text.isEmpty { continuation.yield(Data(text.utf8)) }
        continuation.finish()
        return TransportResponse(status: status, headers: headers, body: body)
    }

    static func refusal(
        _ status: Int, _ name: String, current: JSON? = nil, headers: [String: String] = [:], more: [String: JSON] = [:]
    ) -> TransportResponse {
        var members: [String: JSON] = [
            "type": .string("urn:usher:problem:\(name)"), "title": "Refused", "detail": .string("\(name) it is"),
            "status": .integer(Int64(status)),
        ]
        members["current"] = current
        return .json(.object(members.merging(more) { $1 }), status: status, headers: headers)
    }
}

/// Returns a session's state as a server writes it.
func state(_ revision: Int64, stack: JSON = [screen(1)], more: [String: JSON] = [:]) -> JSON {
    let members: [String: JSON] = [
        "session": "s1", "app": "a", "revision": .integer(revision), "stack": stack, "back": false, "changes": [],
        "pending": [],
    ]
    return .object(members.merging(more) { $1 })
}

func screen(_ id: Int64, shown: String = "push", state: JSON = [:], events: JSON? = nil) -> JSON {
    var members: [String: JSON] = [
        "id": .integer(id), "screen": .string("s\(id)"), "coordinator": "app", "shown": .string(shown), "state": state,
    ]
    members["events"] = events
    return .object(members)
}
