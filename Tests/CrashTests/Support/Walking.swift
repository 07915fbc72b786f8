import LocalhostClient

/// A client that works in a task of its own.
///
/// Unchecked because one task at a time has it: the group that runs it ends before the next begins.
final class Walking: @unchecked Sendable {
    private let walker: Walker

    init(_ walker: Walker) {
        self.walker = walker
    }

    /// Goes on until the server is gone.
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

    /// Does so many things, and writes down what was acknowledged.
    ///
    /// - Parameter position: How far a log has come.
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

    /// Does so many things, each again and again until it is answered.
    func persist(_ port: Int, steps: Int, _ answers: [Answers]) async throws {
        while try !walker.open(port) {}
        for _ in 0..<steps {
            var isDone = try await isAnswered { try await self.walker.step(port) }
            while !isDone { isDone = try await isAnswered { try await self.walker.retry(port) } }
            for count in answers { count.note() }
        }
    }

    /// An answer counts also where the next look at the session was cut off.
    private func isAnswered(_ body: () async throws -> Bool) async throws -> Bool {
        do {
            return try await body()
        } catch let error as ClientError {
            walker.note(error)
            return true
        }
    }
}

/// The states of a session that were acknowledged, and how far a log had come when each was known to be.
struct Chronicle {
    private var states: [(outline: String, position: Int)] = []

    mutating func note(_ outline: String, at position: Int) {
        states.append((outline, position))
    }

    /// True of what a session may show from the log up to a position: the last state that was acknowledged by then, or
    /// the one that was on its way.
    func allows(_ outline: String?, at position: Int) -> Bool {
        let acknowledged = states.count { $0.position <= position }
        let allowed: [String?] = [nil] + states.map(\.outline)
        return allowed[acknowledged...].prefix(2).contains(outline)
    }
}
