import Usher
import UsherJSON
import UsherJournal

/// Compares a replay by this build with the entries that earlier builds wrote.
///
/// If the digests after an entry are equal, everything is equal. If the digests differ, the screens on display must
/// have the same names, and the same tab must be selected. Everything else may differ. The replay's screens then get
/// the ids that clients know, and the replay's work gets the recorded ids.
struct Following {
    private let history: [Entry]
    /// All entries of the record, including those that are not replayed.
    private let record: [Entry]
    private let build: UInt64
    private let retired: Set<String>
    /// A Boolean value that indicates whether the replay may lose recorded effects that this build does not start, as
    /// the app or an operator decides.
    private let isForced: Bool
    /// The screens that the user saw, and the number of entries after which the user saw them.
    private var display = (shown: Display(), count: 0)
    /// The number of entries that were replayed.
    private var count = 0
    /// The work that is still pending in the record, but that this build did not start.
    private var missing: [EffectID: RecordedWork] = [:]
    /// A Boolean value that indicates whether the current entry is a timer that this build did not start.
    private var hasSkippedTimer = false
    /// The missing timers that this build may still start later, so that this build cannot tell them apart.
    private var ambiguous: Set<EffectID> = []
    /// A Boolean value that indicates whether the entries have facts; without facts, the digests must be equal.
    private let hasFacts: Bool
    /// For each revision, the first screen id that was free before this build's next entry.
    ///
    /// Computed only at the first digest that differs.
    private lazy var freeScreens = Self.freeScreens(in: record, by: build)

    init(_ history: EffectiveHistory, in record: [Entry], by build: UInt64, retired: Set<String>, isForced: Bool) {
        (self.history, self.record, self.build) = (history.entries, record, build)
        (self.retired, self.isForced) = (retired, isForced)
        hasFacts = history.entries.first.map { !$0.facts.isEmpty } ?? false
    }

    /// Skips an input that is the result of an effect or timer, if this build did not start the effect or timer.
    ///
    /// - Returns: `false` if the tree must handle the input.
    /// - Throws: `Divergence` for the result of an effect that the app has not retired, and for an ambiguous timer.
    mutating func skips(_ entry: Entry, _ content: InputContent, on tree: Tree) throws(Divergence) -> Bool {
        guard !missing.isEmpty, let id = content.result, let work = missing[id], !tree.waits(for: id) else {
            return false
        }
        if !isForced {
            guard !ambiguous.contains(id) else { throw Divergence(entry, ambiguous: id) }
            guard work.isTimer || retired.contains(work.name) else {
                throw Divergence(
                    entry, expected: .effect(work, "the end of"), found: "no such effect", losing: .result(of: work))
            }
        }
        missing[id] = nil
        hasSkippedTimer = work.isTimer
        tree.skipInput()
        return true
    }

    /// Skips the comparison of the creation, because an earlier build has already begun the session anew.
    mutating func skipCreation() { count += 1 }

    /// Compares a tree with the entry that the tree has just replayed.
    ///
    /// - Throws: `Divergence` if the user sees other screens; `JSONError` for facts that no build writes.
    mutating func compare(_ entry: Entry, _ facts: StepFacts, with tree: Tree) throws {
        count += 1
        defer { hasSkippedTimer = false }
        if hasFacts { identifyWork(of: entry, facts, on: tree) }
        guard entry.revision == tree.revision else { throw Divergence(entry, found: "nothing at all") }
        guard entry.digest != tree.digest else { return }
        guard hasFacts, try tree.shows(shown()) else {
            throw difference(entry, from: tree)
        }
        let index = entry.revision - (record.first?.revision ?? 1)
        let free = freeScreens.indices.contains(index) ? freeScreens[index] : entry.after.screen
        tree.takeIdentities(
            of: display.shown, keepingFree: entry.before.screen..<max(entry.before.screen, free))
    }

    /// Returns the difference between the screens that the user saw and this build's screens.
    private func difference(_ entry: Entry, from tree: Tree) -> Divergence {
        guard !hasSkippedTimer else {
            return Divergence(entry, found: "nothing, because this build does not start the timer")
        }
        let (visible, shown, display) = (tree.visibleScreen, display.shown, tree.display)
        guard Replay.withoutID(visible) == Replay.withoutID(entry.visible) else {
            return Divergence(entry, found: .screen(visible))
        }
        guard hasFacts else {
            return Divergence(
                entry, found: "the same screen, but with other screens below it or with other coordinators")
        }
        if let once = shown.tab, let now = display.tab, once != now {
            return Divergence(entry, expected: "the tab \(once)", found: "the tab \(now)")
        }
        return Divergence(entry, expected: .screens(shown), found: .screens(display))
    }

    private mutating func identifyWork(of entry: Entry, _ facts: StepFacts, on tree: Tree) {
        if entry.kind == .divergence { (missing, ambiguous) = ([:], []) }
        for work in tree.identify(facts.begun, isAll: entry.kind == .divergence) {
            missing[work.id] = work
            if work.isTimer, tree.defersWork(like: work) { ambiguous.insert(work.id) }
        }
        for id in facts.cancelled { missing[id] = nil }
    }

    /// Returns the screens that the user saw after the last replayed entry.
    private mutating func shown() throws -> Display {
        for entry in history[display.count..<count] { display.shown.follow(entry, try StepFacts(entry)) }
        display.count = count
        return display.shown
    }

    /// Ends the comparison after the last entry.
    ///
    /// - Throws: `Divergence` if this build would lose a running effect or confuse timers.
    func finish(on tree: Tree) throws(Divergence) {
        guard let last = history.last else { return }
        if let id = missing.keys.filter(ambiguous.contains).min(), !isForced {
            throw Divergence(last, ambiguous: id)
        }
        let lost = missing.values.filter { !$0.isTimer && !retired.contains($0.name) }
        if let work = lost.min(by: { $0.id < $1.id }), !isForced {
            throw Divergence(last, expected: .effect(work), found: "no such effect", losing: .underWay(work))
        }
        while let work = tree.applyRecordedValues() {
            guard isForced else {
                throw Divergence(
                    last, expected: .effect(work), found: "an effect that cannot decode the recorded value",
                    losing: .underWay(work))
            }
            tree.discardWork([work.id])
        }
    }

    private static func freeScreens(in record: [Entry], by build: UInt64) -> [Int] {
        // For each entry, records whether this build wrote the entry, and the first id that is free after the entry.
        var (writer, isOwn, given): (UInt64?, [Bool], [Int]) = (nil, [], [])
        for entry in record {
            if !entry.facts.isEmpty, let other = (try? StepFacts(entry))?.build { writer = other }
            isOwn.append(writer == build)
            given.append(max(entry.after.screen, given.last ?? 1))
        }
        var free = given.last ?? 1
        return record.indices.reversed().map { index in
            defer { if isOwn[index], index > 0 { free = given[index - 1] } }
            return free
        }.reversed()
    }
}

extension Divergence {
    /// Creates a divergence for a recorded timer that could be any of several timers of this build.
    fileprivate init(_ entry: Entry, ambiguous id: EffectID) {
        self.init(
            entry,
            found: Phrase(
                "several timers that could be the timer \(id)", common: "several timers that could be the same one"),
            losing: .timer(id: "\(id)"))
    }
}
