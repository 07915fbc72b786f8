import Testing

/// Tests that the checker accepts legal histories, and reports illegal ones.
@Suite("The checker of clients' histories")
struct HistoryCheckerTests {
    /// Two events, a rejected event, a read, a repetition and a stream, on one session.
    private static let good: [Observation] = [
        observe(.opening, at: 0, .state(revision: 1, numbers: [])),
        observe(.event(11), at: 10, .state(revision: 2, numbers: [11]), "first"),
        observe(.streamed(1), at: 12, .state(revision: 2, numbers: [11])),
        observe(.event(12), at: 20, .kept(revision: 3, numbers: [11, 12]), "second"),
        observe(.event(13), at: 30, .refused(revision: 3, numbers: [11, 12])),
        observe(.repetition(11), at: 40, .kept(revision: 2, numbers: [11]), "first"),
        observe(.streamed(1), at: 42, .state(revision: 3, numbers: [11, 12])),
        observe(.look, at: 50, .unchanged(revision: 3)),
        observe(.lastingEvent(14), at: 60, .state(revision: 5, numbers: [11, 12, 14, 1_014])),
        observe(.following(1_014), at: 66, .none),
        observe(.event(15), at: 70, .none),
    ]

    private static let record = FinalRecord(numbers: [11, 12, 14, 1_014], revisions: [1, 2, 3, 4, 5])

    private static func observe(
        _ request: Observation.Request, at time: Int64, _ answer: Observation.Answer, _ body: String = ""
    ) -> Observation {
        Observation(
            session: "s", request: request, begin: time, end: time + 5, answer: answer, body: Array(body.utf8))
    }

    private static func anomalies(
        _ history: [Observation], _ record: FinalRecord = record, faults: Int = 1
    ) -> Set<Anomaly.Kind> {
        Set(HistoryChecker(history, ["s": record], faults: faults).anomalies().map(\.kind))
    }

    @Test func `the checker accepts a possible history`() {
        #expect(Self.anomalies(Self.good) == [])
        var kept = Self.record
        kept.numbers.append(15)
        kept.revisions.append(6)
        #expect(Self.anomalies(Self.good, kept) == [], "an event without an answer may have been kept")
        #expect(HistoryChecker(Self.good, [:], faults: 1).acknowledged == 3)
    }

    @Test func `the checker accepts overlapping requests that were answered in either order`() {
        let late = Observation(
            session: "s", request: .look, begin: 61, end: 90, answer: .state(revision: 3, numbers: [11, 12]))
        #expect(Self.anomalies(Self.good + [late]) == [])
    }

    /// Returns the anomalies of a session that has ended.
    ///
    /// Results of its events may be missing, and events without a response may be there.
    private static func ended(at revision: Int, _ adding: [Observation] = []) -> Set<Anomaly.Kind> {
        let history = good.filter { $0.request != .following(1_014) }
        return anomalies(
            history + [observe(.following(9), at: 70, .none), observe(.end, at: 80, .gone)] + adding,
            FinalRecord(numbers: [], revisions: [], end: revision))
    }

    @Test
    func `the checker rejects a session that lacks an acknowledged input or has an input that no client sent`() {
        #expect(Self.ended(at: 5) == [])
        #expect(Self.ended(at: 7) == [], "an event without an answer, and what follows on another")
        #expect(Self.ended(at: 4) == [.gap])
        #expect(Self.ended(at: 8) == [.gap])
        #expect(Self.ended(at: 8, [Self.observe(.event(18), at: 90, .gone)]) == [], "it may be kept before the end")
        #expect(Self.ended(at: 5, [Self.observe(.repetition(11), at: 90, .gone)]) == [])
        #expect(
            Self.ended(at: 5, [Self.observe(.event(18), at: 90, .refused(revision: 5, numbers: []))]).contains(.stale))
    }

    /// An anomaly that a test plants in a history.
    struct Plant: CustomTestStringConvertible, Sendable {
        let anomaly: Anomaly.Kind
        var adding: [Observation] = []
        var numbers = record.numbers
        var revisions: [Int]?
        var isAgreed = true
        var testDescription: String { "\(anomaly)" }
    }

    private static let plants = [
        Plant(anomaly: .lost, adding: [observe(.event(16), at: 80, .state(revision: 6, numbers: []))]),
        Plant(anomaly: .lost, adding: [observe(.following(1_011), at: 80, .none)]),
        Plant(anomaly: .doubled, numbers: record.numbers + [11]),
        Plant(anomaly: .refusedButKept, numbers: record.numbers + [13]),
        Plant(
            anomaly: .wrongRevision,
            adding: [observe(.event(1_014), at: 60, .state(revision: 4, numbers: [11, 12, 14]))]),
        Plant(anomaly: .gap, revisions: [1, 2, 3, 5]),
        Plant(anomaly: .gap, revisions: [1, 2, 3, 4, 5, 6]),
        Plant(
            anomaly: .otherHistory, adding: [observe(.look, at: 80, .state(revision: 5, numbers: [11, 12, 14, 9]))]),
        Plant(anomaly: .otherHistory, adding: [observe(.look, at: 80, .state(revision: 5, numbers: [11, 12, 14]))]),
        Plant(anomaly: .stale, adding: [observe(.look, at: 80, .state(revision: 3, numbers: [11, 12]))]),
        Plant(anomaly: .stale, adding: [observe(.look, at: 80, .unchanged(revision: 3))]),
        Plant(anomaly: .stale, adding: [observe(.event(17), at: 80, .refused(revision: 2, numbers: [11]))]),
        Plant(
            anomaly: .stale,
            adding: [
                observe(.end, at: 80, .gone), observe(.look, at: 90, .state(revision: 5, numbers: record.numbers)),
            ]),
        Plant(anomaly: .otherAnswer, adding: [observe(.repetition(11), at: 80, .kept(revision: 2, numbers: [11]))]),
        Plant(anomaly: .streamWentBack, adding: [observe(.streamed(1), at: 5, .state(revision: 2, numbers: [11]))]),
        Plant(anomaly: .disagreement, isAgreed: false),
        Plant(anomaly: .unknownSession, adding: [observe(.look, at: 80, .unknown)]),
    ]

    @Test(arguments: plants)
    func `the checker finds each planted anomaly in the histories`(plant: Plant) {
        let record = FinalRecord(
            numbers: plant.numbers, revisions: plant.revisions ?? Array(1...(plant.numbers.count + 1)),
            isAgreed: plant.isAgreed)
        #expect(Self.anomalies(Self.good + plant.adding, record).contains(plant.anomaly))
    }

    @Test func `the checker rejects a run without faults or without acknowledged inputs`() {
        #expect(Self.anomalies(Self.good, faults: 0) == [.noFault])
        let reads = Self.good.filter { $0.request == .look }
        #expect(Self.anomalies(reads) == [.nothingAcknowledged])
    }

    @Test func `the checker rejects a session without a record`() {
        #expect(HistoryChecker(Self.good, [:], faults: 1).anomalies() == [Anomaly(.unknownSession, of: "s")])
    }
}
