import Programs
import ServerCluster
import Testing

/// Clients who work on a few sessions of a cluster while something happens to it.
struct ClusterLoad {
    let cluster: ServerCluster
    var sessions = 3
    var clients = 6
    var readers = 2
    /// Runs on the same cluster have different ones.
    var round = 1
    /// Requests of each client after the last fault: all goes on.
    var epilogue = 8

    /// All that the clients were told, and what is left at the end.
    struct Outcome {
        var observations: [Observation] = []
        var surprises: [String] = []
        /// Attempts without an answer.
        var failures = 0
        var records: [String: FinalRecord] = [:]
    }

    /// Lets the clients work until a body has come to its end, and a little longer.
    func run(while body: (LoadProgress) async throws -> Void) async throws -> Outcome {
        var opener = LoadClient(0, on: cluster, round: round)
        let sessions = (0..<sessions).compactMap { _ in opener.open() }
        try #require(sessions.count == self.sessions, "\(opener.surprises)")
        var outcome = Outcome(observations: opener.observations, surprises: opener.surprises)
        let progress = LoadProgress()
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for name in 1...clients {
                let client = LoadClient(name, on: cluster, round: round)
                group.addTask { work(client, on: sessions, progress) }
            }
            for name in 0..<readers {
                let reader = StreamReader(name, of: sessions[name % sessions.count], on: cluster)
                group.addTask { watch(reader, progress) }
            }
            do {
                defer { progress.finish() }
                try await body(progress)
            }
            for try await part in group {
                outcome.observations += part.observations
                outcome.surprises += part.surprises
                outcome.failures += part.failures
            }
        }
        try finish(&outcome)
        return outcome
    }

    private func work(_ client: LoadClient, on sessions: [LoadSession], _ progress: LoadProgress) -> Outcome {
        var client = client
        var left = epilogue
        while left > 0 {
            if progress.isOver { left -= 1 }
            // None of them alone: each session has several writers.
            if let session = sessions.randomElement() { client.step(on: session) }
            progress.note()
        }
        return Outcome(
            observations: client.observations, surprises: client.surprises, failures: client.failures)
    }

    private func watch(_ reader: StreamReader, _ progress: LoadProgress) -> Outcome {
        var reader = reader
        reader.run(until: progress)
        return Outcome(observations: reader.observations, surprises: reader.surprises)
    }

    /// Reads what is left of all sessions, from all servers and from the database.
    private func finish(_ outcome: inout Outcome) throws {
        for session in Set(outcome.observations.map(\.session)) {
            outcome.records[session] = try FinalReading(of: session, on: cluster).record()
        }
    }
}
