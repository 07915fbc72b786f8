import UsherJSON
import UsherSessions

/// Compares the states of the same sessions in two builds, and groups the differences.
///
/// Only sessions that are unchanged in both builds are compared, at the same revision.
struct StateComparison {
    private struct Place: Hashable {
        let app: String
        let place: StateDifferences.Place
    }

    private struct Example {
        let session: SessionID
        let revision: Int
        let old: String
        let new: String
    }

    private let other: OtherBuild
    private var next: ShownState?
    private let hasShownNothing: Bool
    private var (sessions, compared, differing) = (0, 0, 0)
    private var places = Tally<Place, Example>()

    /// Starts a comparison; throws `CommandFailure` if the other build fails.
    init(with other: OtherBuild) throws(CommandFailure) {
        self.other = other
        next = try other.next()
        hasShownNothing = next == nil
    }

    /// A Boolean value that indicates whether all states are equal.
    var isClean: Bool { differing == 0 }

    /// Compares the next session in the order of ids; throws `CommandFailure` if the other build fails.
    mutating func add(_ session: CheckedSession) throws(CommandFailure) {
        sessions += 1
        while let line = next, line.session < session.id { next = try other.next() }
        guard let line = next, line.session == session.id, line.revision == session.revision,
            line.fate == .unchanged, session.fate == .unchanged, let old = line.state, let new = session.state
        else { return }
        compared += 1
        let differences = StateDifferences(between: old, and: Array(new.utf8))
        if !differences.isEmpty { differing += 1 }
        for (place, values) in differences.found {
            places.add(
                Place(app: session.app, place: place),
                Example(session: session.id, revision: session.revision, old: values.old, new: values.new))
        }
    }

    /// Waits for the other build to exit; throws `CommandFailure` if the other build fails.
    mutating func end() throws(CommandFailure) {
        if hasShownNothing, sessions > 0 { throw other.hasShownNothing }
        while next != nil { next = try other.next() }
    }

    /// Returns the differences for people, at most `limit` places.
    func lines(_ limit: Int) -> [String] {
        let places = places.sorted { $0.session < $1.session }
        var lines = ["\(differing) of \(compared) unchanged sessions have a different state in the other build"]
        for (place, count, example) in places.prefix(limit) {
            lines += [
                "\(count) differ, \(place.app): \(place.place)",
                "  such as \(example.session.text) at revision \(example.revision): \(example.old), and now \(example.new)",
            ]
        }
        if places.count > limit {
            lines.append("\(places.count - limit) rarer places are left out; --as json lists all places")
        }
        return lines
    }

    /// Writes the member `against` of the JSON document.
    func write(into writer: inout JSONWriter) {
        writer.object("against") { writer in
            writer.member("compared", compared)
            writer.member("differing", differing)
            writer.objects("places", of: places.sorted { $0.session < $1.session }) { writer, found in
                writer.member("app", found.thing.app)
                if let screen = found.thing.place.screen { writer.member("screen", screen) }
                writer.member("place", found.thing.place.path)
                writer.member("sessions", found.count)
                writer.object("example") { writer in
                    writer.member("session", found.example.session.text)
                    writer.member("revision", found.example.revision)
                    writer.member("old", found.example.old)
                    writer.member("new", found.example.new)
                }
            }
        }
    }
}

/// The places in which two states of a session differ.
struct StateDifferences {
    struct Place: Hashable, CustomStringConvertible {
        /// The path, for example `stack[1].state.price`; lists in a screen's own state have no indices, as in
        /// `state.rows[].price`.
        let path: String
        /// The screen that contains the place.
        let screen: String?

        var description: String { screen.map { "\(path) of the screen \($0)" } ?? path }
    }

    /// The values as JSON, shortened if they are long.
    typealias Values = (old: String, new: String)

    private(set) var found: [Place: Values] = [:]

    private static let limit = 64
    /// The maximum length of a value in characters.
    private static let length = 200

    init(between old: [UInt8], and new: [UInt8]) {
        guard let old = try? JSONDocument(written: old).root, let new = try? JSONDocument(written: new).root else {
            return
        }
        compare(old, new, at: "", of: nil, isState: false)
    }

    var isEmpty: Bool { found.isEmpty }

    private mutating func compare(
        _ old: JSONValue?, _ new: JSONValue?, at path: String, of screen: String?, isState: Bool
    ) {
        guard let old, let new, old.kind == new.kind else { return note(old, new, at: path, of: screen) }
        switch old.kind {
        case .object: compareMembers(old, new, at: path, of: screen, isState: isState)
        case .array: compareElements(old, new, at: path, of: screen, isState: isState)
        default: if old.bytes != new.bytes { note(old, new, at: path, of: screen) }
        }
    }

    private mutating func compareMembers(
        _ old: JSONValue, _ new: JSONValue, at path: String, of screen: String?, isState: Bool
    ) {
        let screen = isState ? screen : new[member: "screen"]?.string ?? screen
        let names = old.members.map(\.name) + new.members.map(\.name).filter { old[member: $0] == nil }
        for name in names {
            compare(
                old[member: name], new[member: name], at: path.isEmpty ? name : "\(path).\(name)", of: screen,
                isState: isState || name == "state")
        }
    }

    private mutating func compareElements(
        _ old: JSONValue, _ new: JSONValue, at path: String, of screen: String?, isState: Bool
    ) {
        let (before, after) = (Array(old.elements), Array(new.elements))
        let texts = (before.map { Array($0.bytes) }, after.map { Array($0.bytes) })
        guard texts.0 != texts.1 else { return }
        // If the order or the number of elements has changed, the whole list is reported as one difference.
        let isReordered = Set(texts.0) == Set(texts.1)
        guard before.count == after.count, !isReordered else { return note(old, new, at: path, of: screen) }
        for (index, (old, new)) in zip(before, after).enumerated() {
            compare(old, new, at: isState ? "\(path)[]" : "\(path)[\(index)]", of: screen, isState: isState)
        }
    }

    private mutating func note(_ old: JSONValue?, _ new: JSONValue?, at path: String, of screen: String?) {
        let place = Place(path: path, screen: screen)
        guard found.count < Self.limit, found[place] == nil else { return }
        found[place] = (Self.text(of: old), Self.text(of: new))
    }

    private static func text(of value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = String(decoding: value.bytes, as: UTF8.self)
        return text.count > length ? "\(text.prefix(length))…" : text
    }
}
