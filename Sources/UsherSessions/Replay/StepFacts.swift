package import Usher
import UsherJSON
package import UsherJournal

extension Entry {
    /// The work that the input started; empty if the facts cannot be read.
    package var begunWork: [RecordedWork] { (try? StepFacts(self))?.begun ?? [] }
}

/// The facts that an entry records in addition to its input, because other builds need these facts to replay the entry.
///
/// ```json
/// {"build":"5f0c","changes":["delivery-time"],"display":{"below":[{"screen":"cart","id":3}],"tab":"shop"},
///  "begun":[{"id":"7.1","name":"charge","owner":"shop/checkout pay","value":{"cents":1050}}],"cancelled":["6.1"]}
/// ```
struct StepFacts: Equatable {
    /// The build that wrote the entry; `nil` if the same build wrote the previous entry.
    var build: UInt64?
    /// The app's changes that this build knows; recorded only together with the build.
    var changes: [String] = []
    /// The screens below the visible screen, and the selected tab; `nil` if both follow from the previous display and
    /// the visible screen (`Display.expectedCount(below:after:)`).
    var display: Display?
    /// The work that the input started.
    var begun: [RecordedWork] = []
    /// The work of earlier inputs that the input cancelled.
    var cancelled: [EffectID] = []

    /// Returns the facts of a tree's latest input as JSON; empty if there are no facts, which is the usual case.
    static func json(of tree: Tree, build: UInt64?) -> [UInt8] {
        let (display, begun, cancelled) = (tree.takeDisplay(), tree.begunWork, tree.cancelledWork)
        guard build != nil || display != nil || !begun.isEmpty || !cancelled.isEmpty else { return [] }
        let changes = build == nil ? [] : tree.declaredChanges
        return StepFacts(build: build, changes: changes, display: display, begun: begun, cancelled: cancelled).json
    }
}

extension StepFacts {
    /// Creates the facts of a tree that resumes at an earlier revision: all screens and all pending work.
    ///
    /// - Parameter discarded: The effects that ended in the dropped inputs, and therefore must not run again.
    init(resuming tree: Tree, build: UInt64, without discarded: Set<EffectID>) {
        self.init(
            build: build, changes: tree.declaredChanges, display: tree.display, begun: tree.pendingRecordedWork,
            cancelled: discarded.sorted())
    }

    /// Creates the facts that an entry contains.
    ///
    /// - Throws: `JSONError` if the facts have another shape.
    init(_ entry: Entry) throws(JSONError) {
        self.init()
        guard !entry.facts.isEmpty else { return }
        let json = try JSONDocument(parsing: entry.facts).root
        build = json[member: "build"]?.string.flatMap { UInt64($0, radix: 16) }
        for name in json[member: "changes"]?.elements.map(\.self) ?? [] {
            guard let name = name.string else { throw name.error("expected the name of a change") }
            changes.append(name)
        }
        if let display = json[member: "display"] {
            var screens: [Display.Item] = []
            for screen in display[member: "below"]?.elements.map(\.self) ?? [] {
                guard let id = screen[member: "id"]?.integer, let name = screen[member: "screen"]?.string else {
                    throw screen.error("expected a screen and its id")
                }
                screens.append(Display.Item(id: id, name: name))
            }
            self.display = Display(screens, tab: display[member: "tab"]?.string)
        }
        for work in json[member: "begun"]?.elements.map(\.self) ?? [] { begun.append(try RecordedWork(work)) }
        for id in json[member: "cancelled"]?.elements.map(\.self) ?? [] {
            guard let id = id.string.flatMap({ EffectID($0) }) else { throw id.error("expected the id of work") }
            cancelled.append(id)
        }
    }

    /// Returns `true` if a session can have these facts; an imported session may contain impossible facts.
    ///
    /// `times` are the possible times in milliseconds since 1970.
    func arePossible(in entry: Entry, within times: ClosedRange<Int>) -> Bool {
        var ids = display?.screens.map(\.id) ?? []
        if let visible = Display.Item(visible: entry.visible) { ids.append(visible.id) }
        let isNew = { (work: RecordedWork) in entry.kind == .divergence || work.id.revision == entry.revision }
        return ids.allSatisfy { (1..<max(2, entry.after.screen)).contains($0) } && Set(ids).count == ids.count
            && begun.allSatisfy { isNew($0) && $0.id.revision <= entry.revision }
            && Set(begun.map(\.id)).count == begun.count
            && begun.allSatisfy { $0.due.map { times.contains(Int($0.milliseconds)) } ?? true }
            && cancelled.allSatisfy { $0.revision < entry.revision }
    }

    var json: [UInt8] {
        JSONWriter.object { writer in
            if let build { writer.member("build", String(build, radix: 16)) }
            if !changes.isEmpty { writer.member("changes", changes) }
            if let display { writer.object("display") { Self.write(display, into: &$0) } }
            if !begun.isEmpty { writer.objects("begun", of: begun) { $1.write(into: &$0) } }
            if !cancelled.isEmpty { writer.member("cancelled", cancelled.map(\.description)) }
        }
    }

    private static func write(_ display: Display, into writer: inout JSONWriter) {
        // The visible screen is left out, because the entry itself names it.
        writer.objects("below", of: display.screens.dropLast()) { writer, screen in
            writer.member("screen", screen.name)
            writer.member("id", screen.id)
        }
        if let tab = display.tab { writer.member("tab", tab) }
    }
}

extension [Entry] {
    func through(_ revision: Int) -> ArraySlice<Entry> {
        prefix(Swift.max(0, revision - (first?.revision ?? 1) + 1))
    }

    /// The build that wrote the newest entry; `nil` if it is unknown.
    var newestBuild: UInt64? {
        for entry in reversed() where !entry.facts.isEmpty {
            if let build = (try? StepFacts(entry))?.build { return build }
        }
        return nil
    }
}

extension RecordedWork {
    fileprivate init(_ json: JSONValue) throws(JSONError) {
        guard let id = json[member: "id"]?.string.flatMap({ EffectID($0) }), let name = json[member: "name"]?.string,
            let owner = json[member: "owner"]?.string
        else { throw json.error("expected the id, name and owner of work") }
        self.init(
            id: id, name: name, owner: owner,
            due: json[member: "due"]?.integer.map { Timestamp(milliseconds: Int64($0)) },
            value: json[member: "value"].map { Array($0.bytes) })
    }

    fileprivate func write(into writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("name", name)
        writer.member("owner", owner)
        if let due { writer.member("due", Int(due.milliseconds)) }
        if let value { writer.member("value", raw: value) }
    }
}

extension Display {
    /// Updates the display with the session's next entry.
    mutating func follow(_ entry: Entry, _ facts: StepFacts) {
        let visible = Item(visible: entry.visible)
        if let display = facts.display {
            self = display
        } else {
            let count = Self.expectedCount(below: visible?.id, after: screens.map(\.id))
            screens.removeLast(screens.count - min(count, screens.count))
        }
        if let visible { screens.append(visible) }
    }
}

extension Display.Item {
    /// Creates an item from an entry's text with the name and id of a visible screen; `nil` if there is none.
    fileprivate init?(visible: String) {
        guard let space = visible.lastIndex(of: " "), let id = Int(visible[visible.index(after: space)...]) else {
            return nil
        }
        self.init(id: id, name: String(visible[..<space]))
    }
}
