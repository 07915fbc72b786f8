import Glibc
import LocalhostClient
import ServerCluster
import Testing
import Usher
import UsherHTTP
import UsherServer
import UsherSessions

/// The destination of a test's requests: the application itself, or a server behind a socket, with a kind of journal.
enum Surface: CaseIterable, Sendable, CustomTestStringConvertible {
    case inProcess
    case localhost
    case onDisk
    /// Three servers with the samples on one journal, which take turns in handling requests.
    case cluster

    /// The surfaces that can serve any app.
    static let allCases: [Surface] = [.inProcess, .localhost, .onDisk]

    /// The surfaces that serve the samples.
    static let forSamples = allCases + [.cluster]

    var testDescription: String {
        switch self {
        case .inProcess: "in process"
        case .localhost: "over localhost"
        case .onDisk: "in process, with a journal on disk"
        case .cluster: "on three servers"
        }
    }

    /// Runs a test's closure on a new server.
    func serve(
        _ apps: [any App.Type], configure: (inout ServeOptions) -> Void = { _ in },
        _ body: (Stage) async throws -> Void
    ) async throws {
        var options = ServeOptions.test
        configure(&options)
        let lines = LogLines()
        let log = Log(.text, milliseconds: { 0 }, sink: lines.add)
        switch self {
        case .inProcess:
            let application = Application(apps: apps, options: options, log: log)
            try await body(Stage(lines: lines) { request in await application.respond(to: request) })
        case .onDisk:
            try await RecordedJournal().serve(apps, configure: configure, lines: lines, body)
        case .cluster:
            let client = LocalhostClient(port: try SampleCluster.shared.port, token: nil)
            try await body(
                Stage(lines: lines) { request in
                    try await BlockingThreads.run { try client.respondPatiently(to: request) }
                })
        case .localhost:
            let server = try Server(apps: apps, options: options, log: log)
            let client = LocalhostClient(port: server.port, token: nil)
            do {
                // The client blocks its thread, and effects need one of the shared threads.
                try await body(
                    Stage(lines: lines) { request in
                        try await BlockingThreads.run { try client.respond(to: request) }
                    })
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }
    }
}

extension HeaderFields {
    /// The names and values of all fields, in order.
    fileprivate var all: [(String, String)] {
        lines.map { line in
            (String(decoding: bytes[line.name], as: UTF8.self), String(decoding: bytes[line.value], as: UTF8.self))
        }
    }
}

extension LocalhostClient {
    /// Sends the request again after the time in Retry-After if the response is 503, as on a busy machine.
    ///
    /// Such a request had no effect.
    fileprivate func respondPatiently(to request: Request) throws -> Response {
        for _ in 0..<5 {
            let response = try respond(to: request)
            guard response.status.code == 503, let pause = response.headers["Retry-After"].flatMap(UInt32.init) else {
                return response
            }
            // No event tells a client that the server has room again, so the client waits for the time that the server names.
            sleep(pause)
        }
        return try respond(to: request)
    }

    fileprivate func respond(to request: Request) throws -> Response {
        let target = request.query.map { "\(request.path)?\($0)" } ?? request.path
        let isEmpty = request.body.isEmpty && request.method != .post
        let raw = try self.request(
            request.method.rawValue, target, headers: request.headers.all,
            body: isEmpty ? nil : String(decoding: request.body, as: UTF8.self))
        var headers = HeaderFields()
        for (name, value) in raw.headers { headers.append(name: name, value: value) }
        return Response(status: Status(code: raw.status, reason: ""), headers: headers, body: raw.body)
    }
}
