import Testing
import Usher
import UsherJSON

/// Drives a tree, and keeps a journal like a session.
final class Vault {
    /// An entry, with the result of its input.
    struct Entry {
        var payload: [UInt8]
        var secrets: [Range<Int>]
        let digest: UInt64
        let shown: String
        let identifiers: NextIdentifiers
        var isErased = false

        var text: String { String(decoding: payload, as: UTF8.self) }

        /// The texts at the places of secrets.
        var found: [String] { secrets.map { String(decoding: payload[$0], as: UTF8.self) } }

        mutating func erase() {
            for range in secrets.reversed() { payload.replaceSubrange(range, with: Array("null".utf8)) }
            secrets = []
            isErased = true
        }
    }

    private(set) var tree: Tree
    private(set) var entries: [Entry] = []
    private var steps: [JSONValue]

    init(options: String = "{}", link: String = "[]") throws {
        steps = Array(try JSONDocument(parsing: Array(link.utf8)).root.elements)
        tree = try Self.open(Array(options.utf8), steps, isErased: false)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("options")
        var secrets = tree.inputSecrets.write(options: Array(options.utf8), into: &writer)
        writer.key("open")
        secrets += tree.inputSecrets.write(link: steps, into: &writer)
        writer.endObject()
        record(writer.bytes, secrets, NextIdentifiers())
    }

    @discardableResult
    func handle(_ action: String) throws -> [Int] {
        let identifiers = tree.identifiers
        let action = try InputAction(try JSONDocument(parsing: Array(action.utf8)).root)
        #expect(try tree.handle(Input(action, at: Timestamp(milliseconds: 0))))
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("input")
        let secrets = action.write(into: &writer, secrets: tree.inputSecrets)
        writer.endObject()
        record(writer.bytes, secrets, identifiers)
        return tree.takeErasableRevisions()
    }

    func event(_ event: String) throws -> [Int] { try handle(#"{"event":\#(event)}"#) }

    func rejection(of event: String) throws -> Rejection {
        try #require(throws: Rejection.self) { try handle(#"{"event":\#(event)}"#) }
    }

    func erase(_ revision: Int) {
        entries[revision - 1].erase()
    }

    /// Rebuilds the tree from the journal, and compares digests.
    func replay() throws {
        let creation = try JSONDocument(parsing: entries[0].payload).root
        tree = try Self.open(
            Array(try #require(creation[member: "options"]).bytes),
            creation[member: "open"].map { Array($0.elements) } ?? [], isErased: entries[0].isErased)
        #expect(tree.digest == entries[0].digest)
        for entry in entries.dropFirst() {
            tree.advance(to: entry.identifiers)
            let json = try #require(try JSONDocument(parsing: entry.payload).root[member: "input"])
            let input = Input(
                try InputAction(json), at: Timestamp(milliseconds: 0), isErased: entry.isErased)
            #expect(try tree.handle(input))
            #expect(tree.digest == entry.digest)
            #expect(shown == entry.shown)
        }
    }

    /// Everything that the tree shows.
    var shown: String {
        var writer = JSONWriter()
        writer.beginObject()
        tree.writeState(into: &writer)
        writer.key("report")
        writer.beginObject()
        tree.writeReport(into: &writer)
        writer.endObject()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func record(_ payload: [UInt8], _ secrets: [Range<Int>], _ identifiers: NextIdentifiers) {
        entries.append(
            Entry(
                payload: payload, secrets: secrets, digest: tree.digest, shown: shown, identifiers: identifiers))
    }

    private static func open(_ options: [UInt8], _ link: [JSONValue], isErased: Bool) throws -> sending Tree {
        try Tree(
            opening: VaultApp.self, options: options, isErased: isErased, seed: 1, time: Timestamp(milliseconds: 0),
            link: link)
    }
}
