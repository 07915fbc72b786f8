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

    /// Writes changes, each session's in their order; those of a broken chain are left out.
    ///
    /// The chains of those break that have not happened, or of which nobody knows it.
    func commit(_ changes: [JournalChange]) {
        guard changes.contains(where: { !$0.tail.isBroken }) else { return }
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
        change.tail.fail(error)
        context.counters.countRefusal(error)
    }

    // MARK: Groups

    private func write(
        _ group: [GroupedWrite], of kind: GroupedWrite.Kind, into statistics: inout BatchStatistics
    ) {
        guard !group.isEmpty else { return }
        let safeguards = context.safeguards
        let mark = safeguards.contains(.marks) ? UInt64.random(in: .min ... .max) : 0
        let parameters: Parameters
        do throws(PostgresFailure) {
            parameters = try kind.parameters(of: group, mark: mark, sealing: link.seal)
        } catch {
            return give(up: group, error.journalError(name))
        }
        var resending = Resending(name, from: MonotonicClock.now, outage: link.outage)
        while true {
            do throws(PostgresFailure) {
                let rows = try link.run(kind.statement, parameters, by: resending.deadline, isCommit: true)
                var written = rows.keys
                if resending.isUncertain, written.count < group.count, safeguards.contains(.ownMarks) {
                    written.formUnion(try own(group.filter { !written.contains($0.key) }, mark, by: resending.deadline))
                }
                return end(group, mark, written, into: &statistics)
            } catch {
                if error.kind == .unanswered, !safeguards.contains(.resending) {
                    return look(for: group, mark, into: &statistics)
                }
                switch resending.step(after: error, at: MonotonicClock.now) {
                case .again: continue
                case .split where group.count > 1:
                    for write in group { self.write([write], of: kind, into: &statistics) }
                    return
                case .split: return give(up: group, .corrupt(.malformed))
                case .giveUp(let error):
                    if case .outcomeUnknown = error { context.claims.noteLostAnswer() }
                    return give(up: group, error)
                }
            }
        }
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

    /// Ends a group without an answer by a look at what it has written: the group without its safeguard.
    private func look(for group: [GroupedWrite], _ mark: UInt64, into statistics: inout BatchStatistics) {
        do throws(PostgresFailure) {
            let written = try own(group, mark, by: MonotonicClock.now + Resending.patience)
            end(group, mark, written, into: &statistics)
        } catch {
            give(up: group, error.journalError(name))
        }
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
            write.changes.last?.tail.advance(to: write.token(of: mark))
            for change in write.changes { statistics.add(change) }
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
        do throws(PostgresFailure) {
            let deadline = (link.outage ?? MonotonicClock.now) + Resending.unsentPatience
            let missing = try SingleWrites(changes, on: link, until: deadline).run()
            for change in changes {
                if missing.contains(change.key), !change.isCompletion {
                    refuse(change, .conflict)
                } else {
                    statistics.add(change)
                }
            }
        } catch {
            for change in changes { refuse(change, error.journalError(name)) }
        }
    }
}

/// The changes that are written in the same round: no session's come into two of its statements that depend on each other.
struct CommitRound {
    private var groups: [GroupedWrite.Kind: [GroupedWrite]] = [:]
    /// The changes that expect nothing.
    private(set) var singles: [JournalChange] = []
    /// The changes that follow on others of this round.
    private(set) var postponed: [JournalChange] = []

    /// In bytes, about the most that one round writes: the others of a statement wait for its largest.
    private static let byteLimit = 256 * 1024

    /// Takes as many changes as one round can have.
    init(_ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void) {
        var places: [JournalKey: (kind: GroupedWrite.Kind, index: Int)] = [:]
        var closed: Set<JournalKey> = []
        var bytes = 0
        for change in changes where !change.tail.isBroken {
            guard !closed.contains(change.key), bytes == 0 || bytes + change.size <= Self.byteLimit else {
                postponed.append(change)
                closed.insert(change.key)
                continue
            }
            bytes += change.size
            do throws(JournalError) {
                if let place = places[change.key] {
                    if try groups[place.kind]?[place.index].append(change) ?? false { continue }
                    postponed.append(change)
                    closed.insert(change.key)
                } else if let write = try GroupedWrite(change) {
                    places[change.key] = (write.kind, groups[write.kind]?.count ?? 0)
                    groups[write.kind, default: []].append(write)
                } else {
                    singles.append(change)
                    closed.insert(change.key)
                }
            } catch {
                refuse(change, error)
            }
        }
    }

    /// The sessions that a statement writes; none afterwards.
    mutating func takeGroup(of kind: GroupedWrite.Kind) -> [GroupedWrite] {
        groups.removeValue(forKey: kind) ?? []
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
