import Programs
import ServerCluster
import Testing

/// Clients that use a few sessions of a cluster while faults occur.
struct ClusterLoad {
    let cluster: ServerCluster
    /// The number of sessions that last.
    ///
    /// One more session is ended from time to time, and replaced by another.
    var sessions = 3
    var clients = 6
    var readers = 2
    /// The number of the run, which differs between the runs on a cluster.
    var round = 1
    /// The number of requests that each client sends after the last fault, which must all succeed.
    var epilogue = 8

    /// The results of all clients.
    struct Outcome {
        var observations: [Observation] = []
        var surprises: [String] = []
        /// The number of attempts without a response.
        var failures = 0
    }

    /// The result of one participant.
    private enum Part {
        case client(Outcome)
        case reader(StreamReader)
    }

    /// Lets the clients work until a closure ends, and a little longer.
    func run(while body: (LoadProgress) async throws -> Void) async throws -> Outcome {
        var opener = LoadClient(0, on: cluster, round: round)
        let opened = (0...sessions).compactMap { _ in opener.open() }
        try #require(opened.count == sessions + 1, "\(opener.surprises)")
        let shared = SharedSessions(lasting: Array(opened.dropFirst()), mortal: opened[0])
        var readers = (0..<readers).map { StreamReader($0, of: opened[1 + $0 % sessions], on: cluster) }
        for index in readers.indices { readers[index].begin() }
        var outcome = Outcome()
        var watchers: [StreamReader] = []
        for part in try await work(on: shared, readers, while: body) {
            switch part {
            case .client(let part): outcome.add(part)
            case .reader(let reader): watchers.append(reader)
            }
        }
        finish(&watchers, &opener, &outcome)
        return outcome
    }

    private func work(
        on sessions: SharedSessions, _ readers: [StreamReader], while body: (LoadProgress) async throws -> Void
    ) async throws -> [Part] {
        let progress = LoadProgress()
        return try await withThrowingTaskGroup(of: Part.self) { group in
            for name in 1...clients {
                let client = LoadClient(name, on: cluster, round: round, progress)
                group.addTask { .client(work(client, on: sessions, progress)) }
            }
            for reader in readers { group.addTask { .reader(watch(reader, progress)) } }
            do {
                defer { progress.finish() }
                try await body(progress)
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func work(_ client: LoadClient, on sessions: SharedSessions, _ progress: LoadProgress) -> Outcome {
        var client = client
        var left = epilogue
        while left > 0 {
            if progress.isOver { left -= 1 }
            client.step(on: sessions)
            progress.note()
        }
        return Outcome(client)
    }

    private func watch(_ reader: StreamReader, _ progress: LoadProgress) -> StreamReader {
        var reader = reader
        reader.run(until: progress)
        return reader
    }

    /// Checks that the servers soon show what another acknowledges, once there are no faults any more.
    private func finish(_ readers: inout [StreamReader], _ client: inout LoadClient, _ outcome: inout Outcome) {
        for server in cluster.servers where !server.becomes(ready: true) {
            outcome.surprises.append("\(server.name) is not ready at the end")
        }
        for index in readers.indices {
            readers[index].end(with: &client)
            outcome.observations += readers[index].observations
            outcome.surprises += readers[index].surprises
        }
        outcome.add(Outcome(client))
    }
}

extension ClusterLoad.Outcome {
    fileprivate init(_ client: LoadClient) {
        self.init(
            observations: client.observations, surprises: client.surprises, failures: client.failures)
    }

    fileprivate mutating func add(_ part: Self) {
        observations += part.observations
        surprises += part.surprises
        failures += part.failures
    }
}
