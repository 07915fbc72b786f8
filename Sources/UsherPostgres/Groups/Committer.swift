import UsherJournal
import UsherProcess

/// The writer of one connection: it makes durable what has queued up there, in as few statements as it can.
///
/// All changes of a session go through the same committer, so that none of them meets another of its own.
final class Committer {
    private let link: DatabaseLink
    private let context: CommitContext
    private let name: String

    init(_ link: DatabaseLink, _ context: CommitContext) {
        self.link = link
        self.context = context
        name = "\(link.location)"
    }

    /// Writes changes, each session's in their order, and notes their outcomes; those whose basis has failed fail too.
    func commit(_ changes: [JournalChange]) {
        guard !changes.allSatisfy({ $0.failWithBasis() }) else { return }
        let start = MonotonicClock.now
        var statistics = BatchStatistics()
        var rest = changes
        while !rest.isEmpty {
            var round = CommitRound(rest, refusing: refuse)
            rest = round.postponed
            for kind in GroupedWrite.Kind.allCases { write(round.takeGroup(of: kind), of: kind, into: &statistics) }
            write(round.singles, into: &statistics)
        }
        context.counters.count(statistics, nanoseconds: Int(MonotonicClock.now - start))
    }

    private func refuse(_ change: JournalChange, _ error: JournalError) {
        change.fail(error)
        context.counters.countRefusal(error)
    }

    // MARK: Groups

    /// A group with the mark under which it is sent, also in parts.
    private typealias MarkedGroup = (writes: [GroupedWrite], kind: GroupedWrite.Kind, mark: UInt64)

    private func write(
        _ group: [GroupedWrite], of kind: GroupedWrite.Kind, into statistics: inout BatchStatistics
    ) {
        guard !group.isEmpty else { return }
        let mark = UInt64.random(in: .min ... .max)
        write((group, kind, mark), Resending(name, from: MonotonicClock.now, outage: link.outage), into: &statistics)
    }

    private func write(_ group: MarkedGroup, _ rules: Resending, into statistics: inout BatchStatistics) {
        let parameters: Parameters
        do throws(PostgresFailure) {
            parameters = try group.kind.parameters(of: group.writes, mark: group.mark, sealing: link.seal)
        } catch {
            return give(up: group.writes, error.journalError(name))
        }
        var resending = rules
        let recovery = resend(Set(group.writes.map(\.key)), &resending) { resending throws(PostgresFailure) in
            let written = try send(group, parameters, resending)
            end(group.writes, group.mark, written, into: &statistics)
        }
        switch recovery {
        case nil: return
        case .alone: for one in group.writes { write([one], of: group.kind, into: &statistics) }
        case .parts(let free):
            for isFree in [true, false] {
                let part = group.writes.filter { free.contains($0.key) == isFree }
                write((part, group.kind, group.mark), resending, into: &statistics)
            }
        case .giveUp(let error):
            if case .outcomeUnknown = error { context.claims.noteLostAnswer() }
            give(up: group.writes, error)
        }
    }

    /// Sends a group.
    ///
    /// - Returns: The sessions that it has written, now or when it was sent first.
    private func send(
        _ group: MarkedGroup, _ parameters: Parameters, _ resending: Resending
    ) throws(PostgresFailure) -> Set<JournalKey> {
        let rows = try link.run(group.kind.statement, parameters, by: resending.deadline, isCommit: true)
        let written = rows.keys
        guard resending.isUncertain, written.count < group.writes.count else { return written }
        let lost = group.writes.filter { !written.contains($0.key) }
        return written.union(try own(lost, group.mark, by: resending.deadline))
    }

    /// The sessions that a group has written, though its answer did not come.
    private func own(
        _ group: [GroupedWrite], _ mark: UInt64, by deadline: Int64
    ) throws(PostgresFailure) -> Set<JournalKey> {
        var parameters = Parameters()
        parameters.integer(mark)
        parameters.keys(group.map(\.key))
        parameters.integers(group.map(\.header.revision))
        return try link.run(GroupStatements.own, parameters, by: deadline).keys
    }

    private func end(
        _ group: [GroupedWrite], _ mark: UInt64, _ written: Set<JournalKey>,
        into statistics: inout BatchStatistics
    ) {
        for write in group {
            guard written.contains(write.key) else {
                give(up: [write], .conflict)
                continue
            }
            for change in write.changes {
                change.succeed(at: write.version(after: change, mark: mark))
                statistics.add(change)
            }
        }
        // No other server knows of one that has just begun.
        let rings = group.filter { $0.kind != .create && written.contains($0.key) }
        context.ringer.ring(rings.map { JournalRing($0.key, at: $0.header.revision) })
    }

    private func give(up group: [GroupedWrite], _ error: JournalError) {
        for write in group { for change in write.changes { refuse(change, error) } }
    }

    // MARK: Changes that expect nothing

    private func write(_ changes: [JournalChange], into statistics: inout BatchStatistics) {
        guard !changes.isEmpty else { return }
        write(changes, Resending(name, from: MonotonicClock.now, outage: link.outage), into: &statistics)
    }

    private func write(_ changes: [JournalChange], _ rules: Resending, into statistics: inout BatchStatistics) {
        var resending = rules
        let recovery = resend(Set(changes.map(\.key)), &resending) { resending throws(PostgresFailure) in
            let missing = try SingleWrites(changes, on: link, until: resending.deadline).run()
            end(changes, missing, into: &statistics)
        }
        switch recovery {
        case nil: return
        case .alone: for change in changes { write([change], into: &statistics) }
        case .parts(let free):
            for isFree in [true, false] {
                write(changes.filter { free.contains($0.key) == isFree }, resending, into: &statistics)
            }
        case .giveUp(let error): for change in changes { refuse(change, error) }
        }
    }

    private func end(
        _ changes: [JournalChange], _ missing: Set<JournalKey>, into statistics: inout BatchStatistics
    ) {
        for change in changes {
            if missing.contains(change.key), !change.isCompletion {
                refuse(change, .conflict)
            } else {
                change.succeed(at: change.basis.version)
                statistics.add(change)
            }
        }
    }

    // MARK: Failures

    /// The way on after a failure of a statement that writes several sessions, and is not sent again as it is.
    private enum Recovery {
        /// Each session is written alone.
        case alone
        /// The sessions whose rows nobody else has locked are written first, and then the others.
        case parts(Set<JournalKey>)
        case giveUp(JournalError)
    }

    /// Sends what writes several sessions, and again, with pauses, until it has an answer.
    ///
    /// - Parameters:
    ///   - keys: The sessions.
    ///   - resending: The rules.
    ///   - send: Sends it once.
    /// - Returns: nil once it has an answer.
    private func resend(
        _ keys: @autoclosure () -> Set<JournalKey>, _ resending: inout Resending,
        _ send: (Resending) throws(PostgresFailure) -> Void
    ) -> Recovery? {
        while true {
            do throws(PostgresFailure) {
                try send(resending)
                return nil
            } catch {
                if let recovery = recover(from: error, keys(), &resending) { return recovery }
            }
        }
    }

    /// Decides what is done after a failure.
    ///
    /// - Returns: nil, after the pause before it, where it is sent again as it is.
    private func recover(
        from failure: PostgresFailure, _ keys: Set<JournalKey>, _ resending: inout Resending
    ) -> Recovery? {
        switch resending.step(after: failure, at: MonotonicClock.now) {
        case .again(let pause):
            SystemThread.pause(nanoseconds: pause)
            return nil
        case .split: return keys.count > 1 ? .alone : .giveUp(.corrupt(.malformed))
        case .giveUp(let error): return .giveUp(error)
        case .part:
            if let free = free(of: keys) { return .parts(free) }
            return recover(from: failure, keys, &resending)
        }
    }

    /// The sessions of a group whose rows nobody else has locked.
    ///
    /// - Returns: nil where it is all of them or none, or cannot be told.
    private func free(of keys: Set<JournalKey>) -> Set<JournalKey>? {
        guard keys.count > 1 else { return nil }
        var parameters = Parameters()
        parameters.keys(keys)
        guard let free = try? link.run(GroupStatements.free, parameters, by: MonotonicClock.now).keys else {
            return nil
        }
        return free.isEmpty || free.count == keys.count ? nil : free
    }
}

extension ResultRows {
    /// The sessions in the first column.
    var keys: Set<JournalKey> { Set(indices.compactMap { key($0, 0) }) }
}

extension JournalChange {
    /// True for the body of an answer, of which there may be nothing left.
    fileprivate var isCompletion: Bool {
        if case .complete = action { true } else { false }
    }
}
