import Usher
import UsherBytes
import UsherSessions

/// A Swift test, written with `UsherTesting`, that repeats a session.
struct TestSource {
    /// The file, without the last line feed.
    let text: String

    /// Creates the test of a session, with only the short form of its id, because the full id may grant access.
    ///
    /// - Throws: `CommandFailure` if the app's type cannot be named in another file.
    init(_ exported: ExportedSession, of session: SessionID) throws {
        let app = try Self.name(of: exported.app)
        let test = Self.function(
            "recordedSession\(session.text.prefix(8))", Self.lines(exported, as: app.type),
            documentation: "The session \(session) of the app \"\(exported.app.name)\", as it was recorded.")
        text = Self.file(app.module, [test])
    }

    /// Creates a file with a test for each path through an app.
    ///
    /// - Parameter ways: Each path in words, with its inputs.
    /// - Throws: `CommandFailure` if the app's type cannot be named in another file.
    init(_ ways: [(words: String, exported: ExportedSession)], through app: any App.Type) throws {
        let name = try Self.name(of: app)
        let tests = ways.enumerated().map { index, way in
            Self.function(
                "exploredWay\(index + 1)", Self.lines(way.exported, as: name.type),
                documentation: "A path through the app \"\(app.name)\": \(way.words).")
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
                // The test must fire a timer at the recorded time, not at the time when it was due.
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

    /// Returns the module that a test imports for the app, and the type's name in this module.
    private static func name(of app: any App.Type) throws -> (module: Substring, type: Substring) {
        let name = String(reflecting: app)
        // The reflected name of a private or a local type is not valid Swift.
        guard let dot = name.firstIndex(of: "."), !name.contains("(") else {
            throw CommandFailure(
                "a test cannot name the app \"\(app.name)\"; declare the app at the top level of a file, and not as private"
            )
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

    private static let secretNote = "// A secret is masked in the next line: replace \"…\" with a secret."
}

enum SwiftLiteral {
    /// Returns a single-line string literal; a text with quotes becomes a raw literal if this is easier to read.
    static func string(_ text: String) -> String {
        guard !text.hasControls, text.contains("\""), !text.hasPrefix("\"") else { return text.swiftLiteral }
        let hashes = String(repeating: "#", count: hashCount(text))
        return "\(hashes)\"\(text)\"\(hashes)"
    }

    /// Returns a Swift expression that creates an equal client.
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

    /// Returns the number of hashes that a raw literal needs, so that no quote or backslash in the text has a meaning.
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
