import Usher
import UsherBytes
import UsherSessions

/// A session as a Swift test over `UsherTesting`.
struct TestSource {
    /// The file, without its last line feed.
    let text: String

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - exported: The inputs, and the stacks that each leads to.
    ///   - session: The session, which is named shortly: its id may be the key to it.
    /// - Throws: `CommandFailure` for an app that no other file can name.
    init(_ exported: ExportedSession, of session: SessionID) throws {
        let app = try Self.name(of: exported.app)
        let test = Self.function(
            "recordedSession\(session.text.prefix(8))", Self.lines(exported, as: app.type),
            documentation: "The session \(session) of the app \"\(exported.app.name)\", as it was recorded.")
        text = Self.file(app.module, [test])
    }

    /// Writes the file of ways through an app, a test each.
    ///
    /// - Parameters:
    ///   - ways: Each way in words, with its inputs.
    ///   - app: The app.
    /// - Throws: `CommandFailure` for an app that no other file can name.
    init(_ ways: [(words: String, exported: ExportedSession)], through app: any App.Type) throws {
        let name = try Self.name(of: app)
        let tests = ways.enumerated().map { index, way in
            Self.function(
                "exploredWay\(index + 1)", Self.lines(way.exported, as: name.type),
                documentation: "A way through the app \"\(app.name)\": \(way.words).")
        }
        text = Self.file(name.module, tests)
    }

    private static func lines(_ exported: ExportedSession, as app: Substring) -> [String] {
        var lines = exported.hasSecrets ? [secretNote] : []
        lines += [
            "let app = try AppUnderTest(",
            "    \(app).self,",
            "    optionsJSON: \(literal(exported.options)),",
            "    linkJSON: \(SwiftLiteral.string(list(exported.link))),",
        ]
        if exported.client != Client() { lines.append("    client: \(SwiftLiteral.client(exported.client)),") }
        lines += [
            "    seed: \(exported.seed),",
            "    time: Timestamp(milliseconds: \(exported.time.milliseconds)))",
            assertion(of: exported.expectation),
        ]
        var time = exported.time
        for step in exported.steps {
            lines.append("")
            if step.time != time {
                // A timer comes where it came, which may have been late.
                let timers = step.hasDueTimer ? ", firingTimers: false" : ""
                lines.append("app.advance(by: .milliseconds(\(step.time.milliseconds - time.milliseconds))\(timers))")
            }
            time = step.time
            if step.hasSecrets { lines.append(secretNote) }
            lines += [input(step), assertion(of: step.expectation)]
        }
        return lines
    }

    private static func file(_ module: Substring, _ tests: [String]) -> String {
        """
        import Testing
        import Usher
        import UsherTesting

        @testable import \(module)

        \(tests.joined(separator: "\n\n"))
        """
    }

    private static func function(_ name: String, _ lines: [String], documentation: String) -> String {
        """
        /// \(documentation)
        @Test func \(name)() throws {
        \(lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n"))
        }
        """
    }

    /// The module that a test imports for the app, and the type that it names there.
    private static func name(of app: any App.Type) throws -> (module: Substring, type: Substring) {
        let name = String(reflecting: app)
        // A private type's, or a local one's, is not to be written anywhere else.
        guard let dot = name.firstIndex(of: "."), !name.contains("(") else {
            throw CommandFailure("a test cannot name the app \"\(app.name)\"; declare it in a file, and not as private")
        }
        return (name[..<dot], name[name.index(after: dot)...])
    }

    private static func input(_ step: ExportedSession.Step) -> String {
        let input = literal(step.body)
        guard let warning = step.expectation.warnings.first else { return "app.input(\(input))" }
        return "app.expectWarning(\(SwiftLiteral.string(warning))) { $0.input(\(input)) }"
    }

    private static func assertion(of expectation: ExportedSession.Expectation) -> String {
        "app.expectStack(\(SwiftLiteral.string(expectation.stacks)))"
    }

    private static func literal(_ json: [UInt8]) -> String {
        SwiftLiteral.string(JSONText.oneLine(json))
    }

    private static func list(_ link: [[UInt8]]) -> String {
        "[\(link.map { JSONText.oneLine($0) }.joined(separator: ","))]"
    }

    private static let secretNote = "// A secret is masked in the next line: put one in the place of \"…\"."
}

/// A text as Swift source.
enum SwiftLiteral {
    /// A string literal of one line.
    ///
    /// - Parameter text: Any text; one with quotes becomes a raw literal where that can be read more easily.
    static func string(_ text: String) -> String {
        guard !text.hasControls, text.contains("\""), !text.hasPrefix("\"") else { return text.swiftLiteral }
        let hashes = String(repeating: "#", count: hashCount(text))
        return "\(hashes)\"\(text)\"\(hashes)"
    }

    /// A client, made with what it has said.
    static func client(_ client: Client) -> String {
        let screens = client.screens.map { screens in
            let versions = screens.sorted { $0.key < $1.key }.map { "\(string($0.key)): \($0.value)" }
            return versions.isEmpty ? "[:]" : "[\(versions.joined(separator: ", "))]"
        }
        let said = [
            ("name", client.name.map(string)), ("version", client.version.map(string)), ("screens", screens),
            ("locale", client.locale.map(string)), ("timeZone", client.timeZone.map(string)),
        ]
        return "Client(\(said.compactMap { label, value in value.map { "\(label): \($0)" } }.joined(separator: ", ")))"
    }

    /// So many that no quote and no backslash in the text means anything.
    private static func hashCount(_ text: String) -> Int {
        var longest = 0
        var run: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
            case UInt8(ascii: "#"): run = run.map { $0 + 1 }
            default: run = nil
            }
            longest = max(longest, run ?? 0)
        }
        return longest + 1
    }
}
