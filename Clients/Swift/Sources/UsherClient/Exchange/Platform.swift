/// The platform that a client stands on: transport, time and chance, so that tests can bring their own.
public struct Platform: Sendable {
    /// The way to the server.
    public var transport: any Transport
    /// The clock of pauses and of patience.
    public var clock: any Clock<Duration>
    /// A random number from 0 up to 1.
    public var random: @Sendable () -> Double
    /// A name that no other request has.
    public var key: @Sendable () -> String

    /// The platform of this process, but for what is named.
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

    /// A name of 128 bits of the system's chance.
    public static func randomKey() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()].map { String($0, radix: 16) }
        return words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }

    /// Does something within a time; what takes longer is cancelled.
    ///
    /// - Throws: Its error, or `DeadlineExceeded`.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let clock = clock
        return try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                // It may be late by a tenth, unlike a pause.
                try await clock.sleep(for: limit, tolerance: limit / 10)
                throw DeadlineExceeded()
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

/// The failure of what was not done in its time.
struct DeadlineExceeded: Error, CustomStringConvertible {
    var description: String { "there was no answer in time" }
}

/// The time since a moment, on whatever clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { read() }
}
