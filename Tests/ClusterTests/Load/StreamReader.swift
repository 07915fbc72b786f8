import LocalhostClient
import ServerCluster

/// A client who watches a session, and comes back with the last revision that he was shown.
struct StreamReader {
    private(set) var observations: [Observation] = []
    private(set) var surprises: [String] = []
    private let name: Int
    private let session: LoadSession
    private let cluster: ServerCluster
    private var last: Int?

    init(_ name: Int, of session: LoadSession, on cluster: ServerCluster) {
        self.name = name
        self.session = session
        self.cluster = cluster
    }

    /// Watches until it is over; each connection goes to another server.
    mutating func run(until progress: LoadProgress) {
        var turn = name
        while !progress.isOver {
            turn += 1
            let begin = LoadClient.now
            guard let stream = try? connect(cluster.servers[turn % cluster.servers.count].port) else {
                LoadProgress.pause()
                continue
            }
            // Not for long: that is how often another server is asked.
            while !progress.isOver, LoadClient.now < begin + 1_500_000_000, let event = try? stream.readEvent() {
                note(event, from: begin)
            }
        }
    }

    private func connect(_ port: Int) throws -> RawConnection {
        let stream = try RawConnection(port: port, timeout: 2)
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
                session: session.id, request: .streamed(name), begin: begin, end: LoadClient.now,
                answer: .state(revision: state.revision, numbers: state.numbers)))
    }
}
