import UsherJournal
import UsherProcess

/// Writes the queued changes over one connection, in as few statements as possible.
///
/// The same thread writes all of a session's changes, so that changes of one server never conflict with each other.
struct Committer {
    private let link: DatabaseLink
    private let context: CommitContext
    private let name: String

    init(_ link: DatabaseLink, _ context: CommitContext) {
        self.link = link
        self.context = context
        name = "\(link.location)"
    }

    /// Writes changes, in order within each session, and records their outcomes.
    func commit(_ changes: [JournalChange]) {
        guard !changes.allSatisfy({ $0.failWithBasis() }) else { return }
        let start = MonotonicClock.now
        var statistics = BatchStatistics()
        var rest = changes
        while !rest.isEmpty {
            var round = CommitRound(rest, refusing: refuse)
            rest = round.postponed
            for kind in GroupedWrite.Kind.allCases { write(round.takeGroup(of: kind), of: kind, into: &statistics) }
        }
        context.count(statistics, nanoseconds: Int(MonotonicClock.now - start))
    }

    private func refuse(_ change: JournalChange, _ error: JournalError) {
        change.fail(error)
        context.countRefusal(error)
    }

    /// A group with the mark of its statement, which each part keeps if the group is divided.
    private struct MarkedGroup {
        var writes: [GroupedWrite]
        let kind: GroupedWrite.Kind
        let mark = UInt64.random(in: .min ... .max)

        func filter(_ isTaken: (GroupedWrite) -> Bool) -> MarkedGroup {
            var part = self
            part.writes = writes.filter(isTaken)
            return part
        }
    }

    private func write(
        _ writes: [GroupedWrite], of kind: GroupedWrite.Kind, into statistics: inout BatchStatistics
    ) {
        guard !writes.isEmpty else { return }
        let rules = Resending(name, from: MonotonicClock.now, outage: link.outage)
        write(MarkedGroup(writes: writes, kind: kind), rules, into: &statistics)
    }

    /// Sends a group again and again, with pauses, until there is a response or the group must be given up.
    private func write(_ group: MarkedGroup, _ rules: Resending, into statistics: inout BatchStatistics) {
        let parameters: [Parameter]
        do throws(PostgresFailure) {
            parameters = try group.kind.parameters(of: group.writes, mark: group.mark, sealing: link.seal)
        } catch {
            return giveUp(group, error.journalError(name))
        }
        var resending = rules
        while true {
            let failure: PostgresFailure
            do throws(PostgresFailure) {
                return end(group, try send(group, parameters, resending), into: &statistics)
            } catch {
                failure = error
            }
            switch resending.step(after: failure, at: MonotonicClock.now) {
            case .again(let pause): SystemThread.pause(nanoseconds: pause)
            case .split where group.writes.count > 1:
                for one in group.writes { write([one], of: group.kind, into: &statistics) }
                return
            case .split: return giveUp(group, .corrupt(.malformed))
            case .part:
                guard let free = free(of: group) else { continue }
                for isFree in [true, false] {
                    write(group.filter { free.contains($0.key) == isFree }, resending, into: &statistics)
                }
                return
            case .giveUp(let error): return giveUp(group, error)
            }
        }
    }

    /// Sends a group, and returns the sessions that this attempt or an earlier attempt has written.
    private func send(
        _ group: MarkedGroup, _ parameters: [Parameter], _ resending: Resending
    ) throws(PostgresFailure) -> Set<JournalKey> {
        guard let statement = group.kind.statement else {
            return try Erasure(group.writes, on: link, by: resending.deadline).run()
        }
        let written = try link.run(statement, parameters, by: resending.deadline).keys
        // Counts all sessions as written: if a session is missing, its answer was deleted before the answer's body was
        // stored.
        if group.kind == .complete { return Set(group.writes.map(\.key)) }
        guard resending.isUncertain, written.count < group.writes.count else { return written }
        let lost = group.writes.filter { !written.contains($0.key) }
        // An earlier attempt, whose response was lost, may have written these sessions.
        let parameters: [Parameter] = [
            .integer(group.mark), .keys(lost.map(\.key)), .integers(lost.map(\.header.revision)),
        ]
        return written.union(try link.run(GroupStatements.own, parameters, by: resending.deadline).keys)
    }

    private func end(
        _ group: MarkedGroup, _ written: Set<JournalKey>, into statistics: inout BatchStatistics
    ) {
        giveUp(group.filter { !written.contains($0.key) }, .conflict)
        let writes = group.writes.filter { written.contains($0.key) }
        for write in writes {
            for change in write.changes {
                change.succeed(at: write.version(after: change, mark: group.mark))
                statistics.add(change)
            }
        }
        // Only these kinds change what clients of other servers may see. A new session is not yet in use on any other
        // server.
        guard [.append, .startOver, .end].contains(group.kind) else { return }
        context.bell.ring(writes.map { JournalRing($0.key, at: $0.header.revision) })
    }

    private func giveUp(_ group: MarkedGroup, _ error: JournalError) {
        if case .outcomeUnknown = error { context.doubt.raise() }
        for write in group.writes { for change in write.changes { refuse(change, error) } }
    }

    /// Returns the sessions of a group whose rows no other transaction has locked; nil if all of them or none of them
    /// are free, or if the database does not respond.
    private func free(of group: MarkedGroup) -> Set<JournalKey>? {
        guard group.writes.count > 1 else { return nil }
        let keys = Parameter.keys(group.writes.map(\.key))
        guard let free = try? link.run(GroupStatements.free, [keys], by: MonotonicClock.now).keys else { return nil }
        return free.isEmpty || free.count == group.writes.count ? nil : free
    }
}

extension ResultRows {
    var keys: Set<JournalKey> { Set(indices.compactMap { key($0, 0) }) }
}
