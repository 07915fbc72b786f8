import LocalhostClient
import Programs
import ServerCluster

/// A client that watches a session, and reconnects with the last revision that it has received.
struct StreamReader {
    private(set) var observations: [Observation] = []
    private(set) var surprises: [String] = []
    private let session: LoadSession
    private let cluster: ServerCluster
    /// The number of the current stream; a stream that starts again has another number.
    private var stream: Int
    private var last: Int?

    /// The maximum number of one reader's streams.
    private static let stride = 100
    /// The nanoseconds within which a stream must show what another server has acknowledged, without faults.
    ///
    /// This is 1.1 s, with a reserve for busy machines.
    private static let lag: Int64 = LongRun.choose(6, long: 2) * 1_000_000_000

    init(_ name: Int, of session: LoadSession, on cluster: ServerCluster) {
        stream = name * Self.stride
        self.session = session
        self.cluster = cluster
    }

    /// Reads the session from each server: before the first fault, no server may refuse a stream.
    mutating func begin() {
        for server in cluster.servers {
            do { _ = try startAnew(at: server) } catch { surprises.append("\(server.name) shows no stream: \(error)") }
        }
    }

    /// Watches until the end of the load; each connection goes to another server.
    mutating func run(until progress: LoadProgress) {
        var turn = stream
        while !progress.isOver {
            turn += 1
            let begin = LoadClient.now
            guard let stream = try? connect(cluster.servers[turn % cluster.servers.count].port) else {
                LoadProgress.pause()
                continue
            }
            // Read only briefly, so that the server changes often.
            while !progress.isOver, LoadClient.now < begin + 1_500_000_000, let event = try? stream.readEvent() {
                note(event, from: begin)
            }
        }
    }

    /// Watches each server while another accepts an event, once there are no faults any more.
    mutating func end(with client: inout LoadClient) {
        for (index, server) in cluster.servers.enumerated() {
            let writer = cluster.servers[(index + 1) % cluster.servers.count]
            do {
                let time = try watch(server, while: writer, takesAnEventOf: &client)
                guard time > Self.lag else { continue }
                surprises.append("\(server.name) was \(time / 1_000_000) ms behind \(writer.name)")
            } catch {
                surprises.append("\(server.name) does not show what \(writer.name) has acknowledged: \(error)")
            }
        }
    }

    /// Watches a server until it shows an event that another server accepts in the meantime.
    ///
    /// - Returns: The nanoseconds from the acknowledgement to the stream's event.
    private mutating func watch(
        _ server: ClusterServer, while writer: ClusterServer, takesAnEventOf client: inout LoadClient
    ) throws -> Int64 {
        let begin = LoadClient.now
        // A server is ready when its first database connection works, while others may still be refused.
        let connection = try startAnew(at: server, tryingUntil: begin + Self.lag)
        client.send(.add, on: session, at: writer)
        let acknowledgment = LoadClient.now
        try show(client.newest(of: session), on: connection, from: begin)
        return LoadClient.now - acknowledgment
    }

    /// Starts a stream without a known revision, so that the server sends the state at once.
    private mutating func startAnew(at server: ClusterServer, tryingUntil end: Int64 = 0) throws -> RawConnection {
        stream += 1
        last = nil
        let begin = LoadClient.now
        let connection = try connect(to: server, tryingUntil: end)
        try show(1, on: connection, from: begin)
        return connection
    }

    private func connect(to server: ClusterServer, tryingUntil end: Int64) throws -> RawConnection {
        let timeout = Int(Self.lag / 1_000_000_000)
        while LoadClient.now < end {
            if let connection = try? connect(server.port, timeout: timeout) { return connection }
            LoadProgress.pause()
        }
        return try connect(server.port, timeout: timeout)
    }

    /// Reads until the stream shows a revision.
    private mutating func show(_ revision: Int, on connection: RawConnection, from begin: Int64) throws {
        while last ?? 0 < revision {
            guard let event = try connection.readEvent() else { throw ClientError.malformed("the stream ends") }
            note(event, from: begin)
        }
    }

    private func connect(_ port: Int, timeout: Int = 2) throws -> RawConnection {
        let stream = try RawConnection(port: port, timeout: timeout)
        let field = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try stream.send("GET \(session.path)/stream HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(field)\r\n")
        guard try stream.readInterim().status == 200 else { throw ClientError.malformed("no stream") }
        return stream
    }

    private mutating func note(_ event: [String], from begin: Int64) {
        guard event.contains("event: state") || event.contains("event:state"),
            let line = event.first(where: { $0.hasPrefix("data:") })
        else { return }
        guard let state = LedgerState(Array(line.dropFirst("data:".count).utf8)) else {
            surprises.append("a stream says \(event)")
            return
        }
        last = state.revision
        observations.append(
            Observation(
                session: session.id, request: .streamed(stream), begin: begin, end: LoadClient.now,
                answer: .state(revision: state.revision, numbers: state.numbers)))
    }
}
