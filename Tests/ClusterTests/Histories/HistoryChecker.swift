/// Compares all clients' histories with the final records.
struct HistoryChecker {
    private let histories: [String: [Observation]]
    private let records: [String: FinalRecord]
    private let faults: Int

    /// Creates a checker.
    ///
    /// - Parameters:
    ///   - observations: The observations of all clients.
    ///   - records: The sessions' final records.
    ///   - faults: The number of faults.
    init(_ observations: [Observation], _ records: [String: FinalRecord], faults: Int) {
        histories = Dictionary(grouping: observations, by: \.session)
        self.records = records
        self.faults = faults
    }

    /// The number of acknowledged events.
    var acknowledged: Int {
        histories.values.joined().count { Self.eventNumber($0) != nil && $0.answer.shown != nil && !$0.isRefused }
    }

    /// Returns all anomalies.
    func anomalies() -> Set<Anomaly> {
        var found: Set<Anomaly> = []
        if acknowledged == 0 { found.insert(Anomaly(.nothingAcknowledged)) }
        if faults == 0 { found.insert(Anomaly(.noFault)) }
        for (session, history) in histories {
            guard let record = record(of: session, history) else {
                found.insert(Anomaly(.unknownSession, of: session))
                continue
            }
            found.formUnion(checkRecord(session, record))
            found.formUnion(checkEnd(session, record, history))
            for observation in history {
                found.formUnion(checkEvent(observation, record))
                found.formUnion(checkState(observation, record))
            }
            found.formUnion(checkOrder(session, history))
            found.formUnion(checkKeys(session, history))
            found.formUnion(checkStreams(session, history))
        }
        return found
    }

    /// Returns the part of a session's history that shows an anomaly, one line per response, to find its cause.
    func evidence(of anomaly: Anomaly) -> String {
        let (session, revision) = (anomaly.session, anomaly.revision)
        let history = (histories[session] ?? []).sorted { $0.end < $1.end }
        let lines = history.filter { observation in
            guard let revision else { return true }
            return observation.answer.newest.map { abs($0 - revision) <= 2 }
                ?? observation.answer.shown.map { abs($0.revision - revision) <= 2 } ?? true
        }.map { "  \($0.begin / 1_000)-\($0.end / 1_000) \($0.request) \($0.answer)" }
        let record = records[session].map { "  record \($0.numbers) \($0.revisions.count)" } ?? "  no record"
        return (["\(anomaly)", record] + lines).joined(separator: "\n")
    }

    /// Returns the record of a session; if it has ended, the longest state that a client has seen.
    private func record(of session: String, _ history: [Observation]) -> FinalRecord? {
        guard var record = records[session] else { return nil }
        if record.hasEnded {
            record.numbers = history.compactMap(\.answer.shown?.numbers).max { $0.count < $1.count } ?? []
        }
        return record
    }

    private func checkRecord(_ session: String, _ record: FinalRecord) -> Set<Anomaly> {
        var found: Set<Anomaly> = []
        var seen: Set<Int> = []
        for number in record.numbers where !seen.insert(number).inserted {
            found.insert(Anomaly(.doubled, of: session, number: number))
        }
        if !record.hasEnded, record.revisions != Array(1...(record.numbers.count + 1)) {
            found.insert(Anomaly(.gap, of: session))
        }
        if !record.isAgreed { found.insert(Anomaly(.disagreement, of: session)) }
        return found
    }

    /// Checks the number of revisions of an ended session.
    ///
    /// It has at least the revisions that clients have seen, and at most those and the requests without a response.
    private func checkEnd(_ session: String, _ record: FinalRecord, _ history: [Observation]) -> Set<Anomaly> {
        guard let end = record.end else { return [] }
        let shown = record.numbers.count + 1
        let unknown = history.count { observation in
            if case .following = observation.request { return true }
            return Self.eventNumber(observation) != nil && (observation.answer == .none || observation.answer == .gone)
        }
        let isRight = record.revisions.isEmpty && (shown...shown + unknown).contains(end)
        return isRight ? [] : [Anomaly(.gap, of: session)]
    }

    private static func eventNumber(_ observation: Observation) -> Int? {
        switch observation.request {
        case .event(let number), .lastingEvent(let number): number
        default: nil
        }
    }

    private func checkEvent(_ observation: Observation, _ record: FinalRecord) -> Set<Anomaly> {
        let session = observation.session
        if case .following(let number) = observation.request {
            // In a session that has ended, the number may have come too late.
            let isThere = record.hasEnded || record.numbers.contains(number)
            return isThere ? [] : [Anomaly(.lost, of: session, number: number)]
        }
        guard let number = Self.eventNumber(observation) else { return [] }
        let index = record.numbers.firstIndex(of: number)
        if observation.isRefused { return index == nil ? [] : [Anomaly(.refusedButKept, of: session, number: number)] }
        guard let shown = observation.answer.shown else { return [] }
        guard let index else { return [Anomaly(.lost, of: session, number: number)] }
        // Revision 1 is the creation.
        let isRight = observation.request == .event(number) ? index + 2 == shown.revision : index + 2 <= shown.revision
        return isRight ? [] : [Anomaly(.wrongRevision, of: session, number: number)]
    }

    private func checkState(_ observation: Observation, _ record: FinalRecord) -> Set<Anomaly> {
        if observation.answer == .unknown { return [Anomaly(.unknownSession, of: observation.session)] }
        guard let shown = observation.answer.shown else { return [] }
        let isBeginning = shown.numbers.count == shown.revision - 1 && record.numbers.starts(with: shown.numbers)
        return isBeginning ? [] : [Anomaly(.otherHistory, of: observation.session, at: shown.revision)]
    }

    /// Checks that each response is at least as new as all responses that arrived before its request was sent.
    private func checkOrder(_ session: String, _ history: [Observation]) -> Set<Anomaly> {
        var found: Set<Anomaly> = []
        let dated = history.compactMap { observation in observation.answer.newest.map { (observation, $0) } }
        let byEnd = dated.sorted { $0.0.end < $1.0.end }
        var (next, newest) = (0, 0)
        for (observation, revision) in dated.sorted(by: { $0.0.begin < $1.0.begin }) {
            while next < byEnd.count, byEnd[next].0.end < observation.begin {
                newest = max(newest, byEnd[next].1)
                next += 1
            }
            if revision < newest { found.insert(Anomaly(.stale, of: session, at: revision)) }
        }
        return found
    }

    private func checkKeys(_ session: String, _ history: [Observation]) -> Set<Anomaly> {
        var bodies: [Int: [UInt8]] = [:]
        for observation in history where observation.answer.shown != nil {
            if let number = Self.eventNumber(observation) { bodies[number] = observation.body }
        }
        let others = history.compactMap { observation -> Int? in
            guard case .repetition(let number) = observation.request, observation.answer != .none,
                observation.answer != .gone, let body = bodies[number]
            else { return nil }
            return body == observation.body ? nil : number
        }
        return Set(others.map { Anomaly(.otherAnswer, of: session, number: $0) })
    }

    private func checkStreams(_ session: String, _ history: [Observation]) -> Set<Anomaly> {
        var last: [Int: Int] = [:]
        var found: Set<Anomaly> = []
        for observation in history {
            guard case .streamed(let stream) = observation.request, let shown = observation.answer.shown else {
                continue
            }
            if shown.revision <= last[stream] ?? 0 {
                found.insert(Anomaly(.streamWentBack, of: session, number: stream))
            }
            last[stream] = shown.revision
        }
        return found
    }
}

extension Observation {
    /// A Boolean value that indicates whether an event was rejected for good.
    var isRefused: Bool {
        if case .refused = answer { true } else { false }
    }
}
