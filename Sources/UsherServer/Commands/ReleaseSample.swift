import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// The result of checking all live sessions of a journal, or a random sample of them, with a build.
struct ReleaseSample: Equatable, Sendable {
    /// The number of live sessions, not counting sessions that ended before their check.
    var sessions = 0
    var checked = 0
    /// The number of checked sessions that would be on hold, including sessions that could not be checked properly.
    var held = 0
    /// The number of checked sessions that would end, because their apps' code chooses to end them.
    var ended = 0
    /// The number of checked sessions that would resume at an earlier revision, or from the beginning.
    var resumed = 0

    /// The time limit of a check.
    static let time = Duration.seconds(60)
    /// The number of sessions that each child process checks at once.
    private static let batch = 32

    init(sessions: Int = 0, checked: Int = 0, held: Int = 0, ended: Int = 0, resumed: Int = 0) {
        (self.sessions, self.checked, self.held, self.ended, self.resumed) = (sessions, checked, held, ended, resumed)
    }

    /// Checks sessions in a random order, until all are checked or a time limit is reached; nothing is written.
    ///
    /// When the limit is reached, the checks that have begun are still completed. If they were stopped, sessions with
    /// long checks would be missing from the sample.
    ///
    /// `time` is nil for no limit, and `now` reads a clock, in nanoseconds.
    ///
    /// - Throws: `JournalError` if the journal cannot be read at all.
    init(
        of journal: any Journal, by runner: any IsolatedRunner, within time: Duration?,
        now: () -> Int64 = { MonotonicClock.now }, random: inout some RandomNumberGenerator
    ) async throws {
        var ids = try await Self.sessions(of: journal)
        ids.shuffle(using: &random)
        self.init(sessions: ids.count)
        let check = JournalCheck(journal, runner: runner)
        let end = time.map { now() + $0.nanoseconds }
        var longest: Int64 = 0
        let page = Self.batch * max(1, runner.width)
        for start in stride(from: 0, to: ids.count, by: page) {
            let begin = now()
            // Stops early, on the assumption that the next checks take as long as the longest so far.
            if let end, begin + longest > end { return }
            let (some, before) = (ids[start..<min(start + page, ids.count)], checked)
            try await check.run(on: Array(some)) { add($0.fate) }
            sessions -= some.count - (checked - before)
            longest = max(longest, now() - begin)
        }
    }

    private static func sessions(of journal: any Journal) async throws(JournalError) -> [SessionID] {
        let page = 1_024
        var ids: [SessionID] = []
        var last: JournalKey?
        while true {
            let listings = try await journal.sessions(after: last, limit: page)
            ids += listings.map { SessionID($0.key) }
            last = listings.last?.key
            guard listings.count == page else { return ids }
        }
    }

    private mutating func add(_ fate: CheckedSession.Fate) {
        checked += 1
        switch fate {
        case .unchanged: break
        case .resumed, .anew: resumed += 1
        case .held, .unreadable, .untried: held += 1
        case .ended: ended += 1
        }
    }
}

// MARK: Confidence

extension ReleaseSample {
    /// Returns the upper bound of the number of sessions of a kind, with a confidence of 95 %, if `found` of the
    /// checked sessions are of that kind.
    ///
    /// Suppose that the journal has N sessions of the kind. The bound is the largest N for which a sample contains at
    /// most `found` of them with a probability above 5 %. This is the exact one-sided bound for samples without
    /// replacement, as Clopper and Pearson's is for samples with replacement. If all sessions were checked, the bound
    /// is `found`.
    func bound(for found: Int) -> Int {
        // If the journal has this number of sessions of the kind, a sample contains `found` of them on average, so the
        // bound cannot be lower.
        var least = checked == 0 ? 0 : max(found, sessions * found / checked)
        var most = sessions - (checked - found)
        while least < most {
            let middle = least + (most - least + 1) / 2
            if likelihood(ofAtMost: found, among: middle) > 0.05 { least = middle } else { most = middle - 1 }
        }
        return most
    }

    /// Returns the probability that a sample contains at most `found` sessions of a kind, if the journal has `number`
    /// sessions of that kind.
    private func likelihood(ofAtMost found: Int, among number: Int) -> Double {
        let (fewest, most) = (max(0, checked - (sessions - number)), min(checked, number))
        // The weight of each count is computed from the previous one, so no factorials are needed.
        var (weight, below, total) = (1.0, 0.0, 0.0)
        for count in fewest...most {
            total += weight
            if count <= found { below += weight }
            weight *= Double(number - count) / Double(count + 1)
            weight *= Double(checked - count) / Double(sessions - number - checked + count + 1)
            if weight < total * 1e-20 { break }
            if weight > 1e200 { (weight, below, total) = (weight * 1e-200, below * 1e-200, total * 1e-200) }
        }
        return below / total
    }
}

// MARK: The verdict

extension ReleaseSample {
    /// Returns the reason why this build must not take over, as one sentence; nil if this build may take over.
    func refusal(by limits: ReleaseLimits) -> String? {
        var excesses: [String] = []
        // Sessions that end count as held, because for their users an end is worse than a hold.
        let losses = ended == 0 ? "held" : "held, or end"
        for (name, fate, found, limit) in [
            ("held", losses, held + ended, limits.held), ("resumed", "resumed", resumed, limits.resumed),
        ] {
            guard let limit, bound(for: found) > limit.sessions(of: sessions) else { continue }
            excesses.append("\(text(for: found)) would be \(fate), which exceeds --max-\(name) \(limit.text)")
        }
        guard !excesses.isEmpty else { return nil }
        return """
            \(excesses.joined(separator: ", and ")); the running server continues, and "check" shows the causes
            """
    }

    /// Returns a text such as `3 of 1200 checked sessions (at most 129 of all 20000, with 95 % confidence)`.
    func text(for found: Int) -> String {
        guard checked < sessions else { return "\(found) of \(sessions) sessions" }
        let bound = "at most \(bound(for: found)) of all \(sessions), with 95 % confidence"
        return "\(found) of \(checked) checked sessions (\(bound))"
    }
}

// MARK: JSON

extension ReleaseSample {
    /// Parses a sample; nil if the text is malformed.
    init?(json: String) {
        guard let root = try? JSONDocument(written: Array(json.utf8)).root,
            let sessions = root[member: "sessions"]?.integer, let checked = root[member: "checked"]?.integer,
            let held = root[member: "held"]?.integer, let ended = root[member: "ended"]?.integer,
            let resumed = root[member: "resumed"]?.integer
        else { return nil }
        self.init(sessions: sessions, checked: checked, held: held, ended: ended, resumed: resumed)
    }

    /// The sample as a line of JSON.
    var json: String {
        let line = JSONWriter.object { writer in
            writer.member("sessions", sessions)
            writer.member("checked", checked)
            writer.member("held", held)
            writer.member("ended", ended)
            writer.member("resumed", resumed)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
