import Notes
import UsherFuture
import UsherHTTP
import UsherSessions

@testable import UsherServer

/// A server in memory with one session, whose id is `0000000000000001` twice, to which all requests are sent.
final class FuzzedServer: Sendable {
    static let shared = FuzzedServer()

    private let application: Application

    private init() {
        var options = ServeOptions()
        options.adminToken = "the-operator-of-fuzzing"
        options.sessionAccess = .id
        application = Application(
            apps: [NotesApp.self], options: options, environment: ServerEnvironment(random: OneNumber()),
            log: Log(.json, milliseconds: { 0 }, sink: { _ in }))
        var opening = Request(.post, path: "/sessions", headers: [:], body: Array(#"{"app":"notes"}"#.utf8))
        opening.headers.set(name: "Content-Type", value: "application/json")
        let answer = BlockingTask.value { [application, opening] in await application.respond(to: opening) }
        precondition(answer.status.code == 201)
    }

    /// Sends the request in some lines: method and target, fields, an empty line, and the body.
    func take(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        var lines = bytes.split(separator: newline, omittingEmptySubsequences: false)[...]
        let first = lines.popFirst()?.split(separator: UInt8(ascii: " "), maxSplits: 1) ?? []
        guard first.count == 2, let method = Method(rawValue: String(decoding: first[0], as: UTF8.self)),
            let target = try? RequestTarget(parsing: Array(first[1]).span)
        else { return }
        let head = lines.prefix { !$0.isEmpty }
        var headers = TextReading.fields(head)
        headers.append(name: "Content-Type", value: "application/json")
        headers.append(name: "Authorization", value: "Bearer the-operator-of-fuzzing")
        let body = Array(lines.dropFirst(head.count + 1).joined(separator: [newline]))
        let request = Request(method, target: target.path, query: target.query, headers: headers, body: body)
        guard case .ready(let response) = application.reply(to: request) else { return }
        precondition(response.status.code != 500, "\(String(decoding: response.body, as: UTF8.self))")
    }
}

/// A source that always returns the same number, so that there is only one session.
private struct OneNumber: RandomSource {
    func next() -> UInt64 { 1 }
}
