import Testing

/// Tests that the checker of effects accepts legal histories, and reports illegal ones.
@Suite("The checker of effects' deliveries")
struct DeliveryCheckerTests {
    private static let events = [LedgerEvent(.add, 1), LedgerEvent(.wait, 2), LedgerEvent(.deliver, 3)]

    /// The acknowledged events, and the numbers that follow them.
    private static let history = events.flatMap { event in
        [observe(.event(event.number))] + (event.following.map { [observe(.following($0))] } ?? [])
    }

    private static func observe(_ request: Observation.Request) -> Observation {
        Observation(session: "s", request: request, begin: 0, end: 5, answer: .none)
    }

    private static func anomalies(_ deliveries: [Int: [String]], deaths: Int) -> Set<Anomaly> {
        DeliveryChecker(deliveries: deliveries, deaths: deaths).anomalies(in: history)
    }

    @Test func `the checker accepts an effect that was delivered once, or after a crash again with the same id`() {
        #expect(Self.anomalies([3: ["a"]], deaths: 0) == [])
        #expect(Self.anomalies([3: ["a", "a"]], deaths: 1) == [])
        #expect(Self.anomalies([3: ["a"], 9: ["b"]], deaths: 0) == [], "an event without an answer may be kept")
    }

    @Test func `the checker finds each planted anomaly in the deliveries`() {
        #expect(Self.anomalies([:], deaths: 1) == [Anomaly(.notDelivered, of: "s", number: 3)])
        #expect(Self.anomalies([3: ["a", "b"]], deaths: 1) == [Anomaly(.severalIds, of: "s", number: 3)])
        #expect(Self.anomalies([3: ["a", "a"]], deaths: 0) == [Anomaly(.begunTwice, of: "s", number: 3)])
        #expect(Self.anomalies([3: ["a", "a", "a"]], deaths: 1) == [Anomaly(.begunTwice, of: "s", number: 3)])
    }
}
