import LocalhostClient
import ServerCluster
import Testing

/// Reads a session when nothing changes it any more.
///
/// All servers must return the same, and a replay of the database's entries must lead to the same state.
struct FinalReading {
    private let session: String
    private let cluster: ServerCluster

    /// The nanoseconds within which timers and effects of a lost server start on another server, with a reserve.
    private static let patience: Int64 = 40_000_000_000

    init(of session: String, on cluster: ServerCluster) {
        self.session = session
        self.cluster = cluster
    }

    /// Reads the record; nil if a server does not know the session.
    func record() throws -> FinalRecord? {
        let first = try rest()
        let others = try cluster.servers.map { try answer(of: $0) }
        let isAgreed = others.allSatisfy { $0.status == first.status && ($0.status != 200 || $0.body == first.body) }
        switch first.status {
        case 200:
            guard let state = LedgerState(Array(try cluster.replay(session).utf8)) else { return nil }
            let isReplayed = LedgerState(first.body) == state
            return FinalRecord(numbers: state.numbers, revisions: try revisions(), isAgreed: isAgreed && isReplayed)
        case 410:
            let end = try cluster.number("SELECT revision FROM usher.sessions WHERE \(condition)")
            return FinalRecord(numbers: [], revisions: try revisions(), end: end, isAgreed: isAgreed)
        default: return nil
        }
    }

    /// Returns the response of a server when no work is pending any more.
    private func rest() throws -> RawResponse {
        let end = LoadClient.now + Self.patience
        while true {
            let answer = try answer(of: cluster.servers[0])
            guard LedgerState(answer.body)?.isPending == true, LoadClient.now < end else { return answer }
            LoadProgress.pause()
        }
    }

    private func answer(of server: ClusterServer) throws -> RawResponse {
        let end = LoadClient.now + Self.patience
        while true {
            let answer = try? server.client(timeout: 10).request("GET", "/sessions/\(session)")
            if let answer, answer.status < 502 || LoadClient.now > end { return answer }
            try #require(LoadClient.now < end, "\(server.name) does not answer: \(server.log.suffix(4_000))")
            LoadProgress.pause()
        }
    }

    /// Returns the revisions of the entries in the database.
    private func revisions() throws -> [Int] {
        let rows = try cluster.database.run(
            "SELECT revision FROM usher.entries WHERE \(condition) ORDER BY revision")
        return rows.split(separator: "\n").compactMap { Int($0) }
    }

    /// The SQL condition for the session's rows.
    private var condition: String { "session = '\(session)'" }
}
