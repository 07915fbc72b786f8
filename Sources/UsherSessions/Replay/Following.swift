import Usher
import UsherJSON
import UsherJournal

/// The part of a replay that compares: whether this build leads a session where the builds before have led it.
///
/// If a tree's digest agrees, so does all. Otherwise the screens that the user sees must have the same names, and the same
/// tab must be selected: what nobody sees may differ. The screens then get the ids that clients know, and the work that an
/// input begins those that were recorded.
struct Following {
    private let history: [Entry]
    private let build: UInt64
    private let retired: Set<String>
    /// The revisions from which on each build wrote the entries; read once the digests do not agree.
    private lazy var writers: [(revision: Int, build: UInt64)] = history.compactMap { entry in
        entry.facts.isEmpty ? nil : (try? StepFacts(entry))?.build.map { (entry.revision, $0) }
    }
    /// The screens that the user saw.
    private var display = Display()
    /// The recorded work that this build does not begin, and that has not come to its end.
    private var missing: [EffectID: RecordedWork] = [:]
    /// False for the record of a build that did not write facts: then the digests must agree.
    private let hasFacts: Bool

    init(_ history: EffectiveHistory, by build: UInt64, retired: Set<String>) {
        (self.history, self.build, self.retired) = (history.entries, build, retired)
        hasFacts = history.entries.first.map { !$0.facts.isEmpty } ?? false
    }

    /// Passes over an input that ends work which this build does not begin.
    ///
    /// - Returns: False if the tree must handle the input.
    /// - Throws: `Divergence` for an effect's result, unless the app has retired the effect.
    mutating func skips(_ entry: Entry, _ content: InputContent, on tree: Tree) throws(Divergence) -> Bool {
        guard !missing.isEmpty, let id = content.result, let work = missing[id], !tree.waits(for: id) else {
            return false
        }
        guard work.isTimer || retired.contains(work.name) else {
            throw Divergence(
                entry, found: "no effect that waits for its result",
                losing: "the result of the effect \"\(work.name)\" (\(id))")
        }
        missing[id] = nil
        tree.skipInput()
        return true
    }

    /// Compares a tree with the entry to whose revision it has come.
    ///
    /// - Throws: `Divergence` if the user sees other screens; `JSONError` for facts that no build writes.
    mutating func compare(_ entry: Entry, with tree: Tree) throws {
        let facts = try StepFacts(entry)
        if hasFacts {
            for work in tree.identify(facts.begun) { missing[work.id] = work }
            for id in facts.cancelled { missing[id] = nil }
        }
        display.follow(entry, facts)
        guard entry.revision == tree.revision else { throw Divergence(entry, found: "nothing at all") }
        guard entry.digest != tree.digest else { return }
        guard hasFacts, tree.shows(display) else {
            let found = tree.visibleScreen
            throw Divergence(
                entry, found: found == entry.visible ? "others below it, or to other coordinators" : Replay.name(found))
        }
        let free = max(entry.before.screen, freeScreen(after: entry))
        tree.takeIdentities(of: display, keepingFree: entry.before.screen..<free)
    }

    /// Ends the comparison of a tree that has come to the end of the history.
    ///
    /// - Throws: `Divergence` if this build would lose an effect that is under way.
    func finish(on tree: Tree) throws(Divergence) {
        guard let last = history.last else { return }
        if let work = missing.values.filter({ !$0.isTimer && !retired.contains($0.name) }).min(by: { $0.id < $1.id }) {
            throw Divergence(
                last, found: "no effect \"\(work.name)\"", losing: "the effect \"\(work.name)\" (\(work.id)) under way")
        }
        if let work = tree.applyRecordedValues() {
            throw Divergence(
                last, found: "an effect \"\(work.name)\" that cannot be decoded",
                losing: "the effect \"\(work.name)\" (\(work.id)) under way")
        }
    }

    /// The first id of a screen that no entry has given which this build did not write: it begins to count there.
    ///
    /// The entries that it wrote later began there, too.
    private mutating func freeScreen(after entry: Entry) -> Int {
        let own = writers.first { $0.revision > entry.revision && $0.build == build }?.revision ?? .max
        return history.prefix { $0.revision < own }.map(\.after.screen).max() ?? 1
    }
}

extension EffectiveHistory {
    /// The facts that would be lost without the entries from a revision on: one phrase for each.
    ///
    /// - Throws: `JSONError` for entries that no build writes.
    func losses(from revision: Int) throws(JSONError) -> [String] {
        var (names, underWay): ([EffectID: String], [EffectID: String]) = ([:], [:])
        var losses: [String] = []
        for entry in entries {
            let facts = try StepFacts(entry)
            let isLost = entry.revision >= revision
            for work in facts.begun where !work.isTimer {
                names[work.id] = work.name
                if isLost { underWay[work.id] = work.name }
            }
            for id in facts.cancelled { underWay[id] = nil }
            guard entry.kind != .creation, entry.kind != .divergence else { continue }
            switch try Input(entry).content {
            case .result(let id, _):
                underWay[id] = nil
                if isLost { losses.append("the result of the effect \"\(names[id] ?? "")\" (\(id))") }
            case .refused(let id, _): underWay[id] = nil
            case .message: if isLost { losses.append("a backend's message at revision \(entry.revision)") }
            case .action, .timer: break
            }
        }
        let begun = underWay.sorted { $0.key < $1.key }.map { "the effect \"\($0.value)\" (\($0.key)) under way" }
        return losses + begun
    }

    /// The effects whose results come at a revision or later.
    ///
    /// - Throws: `JSONError` for entries that no build writes.
    func results(from revision: Int) throws(JSONError) -> Set<EffectID> {
        var results: Set<EffectID> = []
        for entry in entries where entry.revision >= revision && entry.kind != .creation && entry.kind != .divergence {
            if case .result(let id, _) = try Input(entry).content { results.insert(id) }
        }
        return results
    }
}
