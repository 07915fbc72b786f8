import LocalhostClient

/// A client that runs in a separate task.
///
/// Unchecked because only one task at a time uses it: the group that runs it ends before the next one starts.
final class Walking: @unchecked Sendable {
    private let walker: Walker

    init(_ walker: Walker) {
        self.walker = walker
    }

    /// Sends requests until the server is gone.
    func walk(_ port: Int, retrying: Bool, _ answers: Answers) async throws {
        defer { answers.noteEnd() }
        guard try walker.open(port) else { return }
        if retrying {
            guard try await isAnswered({ try await self.walker.retry(port) }) else { return }
        } else {
            do { try await walker.expectAcknowledged(port) } catch is ClientError { return }
        }
        answers.note()
        while try await isAnswered({ try await self.walker.step(port) }) { answers.note() }
    }

    /// Sends a number of requests, and records what was acknowledged.
    ///
    /// - Parameter position: Returns the current size of a log.
    func tell(_ port: Int, steps: Int, position: @Sendable () -> Int) async throws -> Chronicle {
        guard try walker.open(port) else { throw ClientError.closed(bytes: 0) }
        var chronicle = Chronicle()
        chronicle.note(try await walker.expected, at: position())
        for _ in 0..<steps {
            guard try await walker.step(port) else { throw ClientError.closed(bytes: 0) }
            chronicle.note(try await walker.expected, at: position())
        }
        return chronicle
    }

    /// Sends a number of requests, and repeats each until there is a response.
    func persist(_ port: Int, steps: Int, _ answers: [Answers]) async throws {
        while try !walker.open(port) {}
        for _ in 0..<steps {
            var isDone = try await isAnswered { try await self.walker.step(port) }
            while !isDone { isDone = try await isAnswered { try await self.walker.retry(port) } }
            for count in answers { count.note() }
        }
    }

    /// Returns whether there was a response, even if the following read of the session was cut off.
    private func isAnswered(_ body: () async throws -> Bool) async throws -> Bool {
        do {
            return try await body()
        } catch let error as ClientError {
            walker.note(error)
            return true
        }
    }
}

/// The acknowledged states of a session, and the size of a log when each was known.
struct Chronicle {
    private var states: [(outline: String, position: Int)] = []

    mutating func note(_ outline: String, at position: Int) {
        states.append((outline, position))
    }

    /// Returns whether a session may have a state after a recovery from a part of the log.
    ///
    /// The state must be the last one that was acknowledged by then, or the next one.
    func allows(_ outline: String?, at position: Int) -> Bool {
        let acknowledged = states.count { $0.position <= position }
        let allowed: [String?] = [nil] + states.map(\.outline)
        return allowed[acknowledged...].prefix(2).contains(outline)
    }
}
