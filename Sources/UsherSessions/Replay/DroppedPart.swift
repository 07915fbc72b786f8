import Usher
import UsherJSON
import UsherJournal

/// The entries that a session drops when it resumes at an earlier revision.
struct DroppedPart {
    /// The summary of the dropped entries for the client and the root coordinator.
    private(set) var told = Dropped()
    /// The facts that are lost with the entries.
    private(set) var losses: [LostFact] = []
    /// The work that ended or was cancelled in the dropped entries, except timers that fired.
    private(set) var ended: Set<EffectID> = []
    private let revision: Int
    /// All work that the history started.
    private var begun: [EffectID: RecordedWork] = [:]
    /// The work that the dropped entries started and that has not ended.
    private var underWay: [EffectID: RecordedWork] = [:]

    /// Creates the dropped part from a history and the first dropped revision.
    ///
    /// - Throws: `JSONError` for an entry that no build writes.
    init(of history: EffectiveHistory, from revision: Int) throws(JSONError) {
        self.revision = revision
        for entry in history.entries { try follow(entry) }
        for work in underWay.values.sorted(by: { $0.id < $1.id }) {
            if work.isTimer {
                note(work.owner, in: \.timers)
            } else {
                note(work.name, in: \.effects)
                losses.append(.underWay(work))
            }
        }
    }

    private mutating func follow(_ entry: Entry) throws(JSONError) {
        let facts = try StepFacts(entry)
        let isDropped = entry.revision >= revision
        // The entry of a resumption lists all pending work, so the collection of pending work starts again.
        if entry.kind == .divergence { underWay = [:] }
        for work in facts.begun {
            begun[work.id] = work
            if isDropped, work.id.revision >= revision { underWay[work.id] = work }
        }
        for id in facts.cancelled {
            underWay[id] = nil
            if isDropped { ended.insert(id) }
        }
        switch entry.kind {
        case .creation: break
        case .divergence: if isDropped { add(try Resumption(entry).dropped) }
        case .input, .inputKeepingLink, .inputDroppingLink: follow(try Input(entry).content, isDropped, entry)
        }
    }

    private mutating func follow(_ content: InputContent, _ isDropped: Bool, _ entry: Entry) {
        if let id = content.result { underWay[id] = nil }
        guard isDropped else { return }
        switch content {
        case .action: told.inputs += 1
        case .message:
            told.messages += 1
            losses.append(.message(revision: entry.revision))
        case .timer: break
        case .result(let id, _):
            ended.insert(id)
            note(begun[id]?.name, in: \.results)
            losses.append(.result(of: begun[id]?.name ?? "", id: "\(id)"))
        case .refused(let id, _):
            ended.insert(id)
            guard let work = begun[id], !work.isTimer else { return }
            note(work.name, in: \.results)
            losses.append(.end(of: work.name, id: "\(id)"))
        }
    }

    /// Adds the entries that an earlier resumption dropped, because these entries stay dropped.
    private mutating func add(_ dropped: Dropped) {
        told.inputs += dropped.inputs
        told.messages += dropped.messages
        for name in dropped.results { note(name, in: \.results) }
        for name in dropped.effects { note(name, in: \.effects) }
        for owner in dropped.timers { note(owner, in: \.timers) }
    }

    private mutating func note(_ name: String?, in list: WritableKeyPath<Dropped, [String]>) {
        if let name, !told[keyPath: list].contains(name) { told[keyPath: list].append(name) }
    }
}
