/// The platform of a client: transport, clock and random numbers, which tests can replace.
public struct Platform: Sendable {
    /// The transport to the server.
    public var transport: any Transport
    /// The clock for pauses and time limits.
    public var clock: any Clock<Duration>
    /// Returns a random number from 0 up to 1.
    public var random: @Sendable () -> Double
    /// Returns a unique key for a request.
    public var key: @Sendable () -> String

    /// Creates this process's platform, with replacements for the given parts.
    public init(
        transport: any Transport = URLSessionTransport.shared, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        key: @escaping @Sendable () -> String = { Platform.randomKey() }
    ) {
        self.transport = transport
        self.clock = clock
        self.random = random
        self.key = key
    }

    /// Returns a key of 128 random bits.
    public static func randomKey() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()].map { String($0, radix: 16) }
        return words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }

    /// Runs work with a time limit and cancels it when the limit has passed.
    ///
    /// - Throws: The work's error, or `DeadlineExceeded`.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let clock = clock
        return try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                // A time limit may be late by a tenth, unlike a pause.
                try await clock.sleep(for: limit, tolerance: limit / 10)
                throw DeadlineExceeded()
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

/// The error of work that exceeded its time limit.
struct DeadlineExceeded: Error, CustomStringConvertible {
    var description: String { "there was no answer in time" }
}

/// The time since a moment, by any clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { read() }
}
