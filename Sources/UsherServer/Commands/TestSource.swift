import Usher
import UsherSessions

/// A session as a Swift test over `UsherTesting`.
struct TestSource {
    /// The file, without its last line feed.
    let text: String

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - exported: The inputs, and the stacks that each leads to.
    ///   - session: The session, which is named shortly: its id is also the key to it.
    /// - Throws: `CommandFailure` for an app that no other file can name.
    init(_ exported: ExportedSession, of session: SessionID) throws {
        let app = try Self.name(of: exported.app)
        var lines = exported.hasSecrets ? [Self.secretNote] : []
        lines += [
            "let app = try AppUnderTest(",
            "    \(app.type).self,",
            "    optionsJSON: \(Self.literal(exported.options)),",
            "    linkJSON: \(SwiftLiteral.string(Self.list(exported.link))),",
            "    seed: \(exported.seed),",
            "    time: Timestamp(milliseconds: \(exported.time.milliseconds)))",
            Self.assertion(of: exported.expectation),
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
            if step.hasSecrets { lines.append(Self.secretNote) }
            lines += [Self.input(step), Self.assertion(of: step.expectation)]
        }
        text = Self.file(String(app.module), exported.app.name, session, lines)
    }

    private static func file(_ module: String, _ app: String, _ session: SessionID, _ lines: [String]) -> String {
        """
        import Testing
        import Usher
        import UsherTesting

        @testable import \(module)

        /// The session \(session) of the app "\(app)", as it was recorded.
        @Test func recordedSession\(session.text.prefix(8))() throws {
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
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard isPlain, text.contains("\""), !text.hasPrefix("\"") else { return escaped(text) }
        let hashes = String(repeating: "#", count: hashCount(text))
        return "\(hashes)\"\(text)\"\(hashes)"
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

    private static func escaped(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }
}
