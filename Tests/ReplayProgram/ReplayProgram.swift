import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

/// Replays recorded sessions in a separate process, with other hash seeds.
///
/// It reads one session per line, with its entries as hexadecimal numbers separated by spaces, and prints the state of
/// each.
@main
enum ReplayProgram {
    static let apps: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    static func main() async throws {
        let key = JournalKey(high: 0, low: 0)
        while let line = readLine() {
            let entries = try line.split(separator: " ").map { try Entry(bytes($0), of: key) }
            print(try show(await Replay(entries, apps: apps).tree()))
        }
    }

    private static func show(_ tree: Tree) throws -> String {
        var writer = JSONWriter()
        writer.beginObject()
        tree.writeState(into: &writer)
        writer.endObject()
        let state = try JSONDocument(parsing: writer.bytes).root
        return ["stack", "tabs", "back", "pending"].map { name in
            state[member: name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        }.joined(separator: "|")
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        var digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }[...]
        var bytes: [UInt8] = []
        while let high = digits.popFirst(), let low = digits.popFirst() { bytes.append(UInt8(high << 4 | low)) }
        return bytes
    }
}
