import Testing

@testable import UsherServer

@Suite("The command usher help")
struct HelpCommandTests {
    /// The names of the commands, in the order of the overview.
    private static let names = [
        "serve", "migrate", "check", "states", "replay", "export", "new", "explore", "uikit", "apps", "types",
        "openapi", "help",
    ]

    @Test(arguments: ["usher", "usher-postgres"])
    func `usher without arguments prints at most ten lines with five commands and a hint`(program: String) throws {
        let lines = try text([], program: program).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 10)
        let rows = lines.filter { $0.hasPrefix("  \(program) ") }
        #expect(rows.count == 5)
        #expect(rows.allSatisfy { Self.names.contains(String($0.split(separator: " ")[1])) })
        #expect(lines.last?.contains("\(program) --help") == true)
    }

    @Test(arguments: [["--help"], ["-h"], ["--nope", "--help"], ["help"]])
    func `the overview of the commands lists each command once`(arguments: [String]) throws {
        let rows = try text(arguments).split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(rows.map { $0.split(separator: " ").first.map(String.init) } == Self.names)
    }

    @Test(arguments: names)
    func `every command has its own page of help`(name: String) throws {
        let page = try text([name, "--help"])
        #expect(page.hasPrefix("usage: usher \(name)"))
        #expect(try text([name, "-h"]) == page)
        #expect(try text(["help", name]) == page)
    }

    @Test(arguments: [
        ["serve", "--nope", "--help"], ["serve", "--port", "x", "-h"], ["serve", "--help", "--journal"],
        ["serve", "extra", "--help"],
    ])
    func `--help prints the help even if other arguments are wrong`(arguments: [String]) throws {
        #expect(try text(arguments) == text(["serve", "--help"]))
    }

    @Test(arguments: [["fly", "--help"], ["help", "fly"], ["help", "isolate"]])
    func `help for an unknown command fails with a list of the commands`(arguments: [String]) throws {
        let error = try #require(throws: UsageError.self) { try text(arguments) }
        #expect(
            error.reason.hasPrefix(
                "unknown command \"\(arguments[0] == "help" ? arguments[1] : "fly")\"; the commands are "))
        #expect(Self.names.allSatisfy { error.reason.contains($0) })
    }

    @Test(arguments: [["help", "serve", "apps"], ["help", "--man", "serve"]])
    func `usher help accepts the name of one command or the option --man`(arguments: [String]) throws {
        let error = try #require(throws: UsageError.self) { try text(arguments) }
        #expect(error.reason.contains("one command"))
    }

    @Test(arguments: [[], ["--help"]] + names.map { [$0, "--help"] })
    func `each page of help fits a terminal of 80 columns`(arguments: [String]) throws {
        for line in try text(arguments).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test(arguments: [[], ["--help"], ["serve", "--help"], ["uikit", "--help"]])
    func `each page of help uses the name under which the program was started`(arguments: [String])
        throws
    {
        let page = try text(arguments, program: "shop")
        #expect(page.contains("shop "))
        #expect(!page.contains("usher serve") && !page.contains("usher uikit") && !page.contains("usher --"))
    }

    @Test(arguments: ServeOptions.all.all.map(\.line.form))
    func `the help page of usher serve describes every option below a heading`(form: String) throws {
        let lines = try text(["serve", "--help"]).split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0 == "  \(form)" || $0.hasPrefix("  \(form)  ") })
        let title = lines[try #require(lines[..<line].lastIndex(of: "")) + 1]
        #expect(title.hasSuffix(":") && !title.hasPrefix(" "), "\(title)")
    }

    @Test func `each default on the help page of usher serve is the actual default`() throws {
        let defaults = ServeOptions()
        var count = 0
        for option in ServeOptions.all.all {
            guard let match = option.line.summary.firstMatch(of: /\(default: ([^ ]+)\)/) else { continue }
            var options = defaults
            try option.set(String(match.1), &options)
            #expect(Self.description(of: options) == Self.description(of: defaults), "--\(option.name)")
            count += 1
        }
        #expect(count > 10)
    }

    @Test func `the manual has every command and option, and no line that troff would read as a macro`() throws {
        let lines = try text(["help", "--man"]).split(separator: "\n")
        #expect(lines.first == #".TH "USHER" "1" "" "usher 1.2.3" "User Commands""#)
        #expect(lines.filter { $0.hasPrefix(".SS ") }.map { $0.dropFirst(5).dropLast() } == Self.names.map { $0[...] })
        for entry in Command.sections.flatMap({ $0.entries }) {
            for option in entry.help.options.flatMap(\.options) {
                let name = option.name.split(separator: "-").joined(separator: #"\-"#)
                #expect(lines.contains { $0.hasPrefix(#"\fB\-\-\#(name)\fR"#) }, "\(option.name)")
            }
        }
        let macros = Set(lines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }.map { $0.prefix { $0 != " " } })
        #expect(macros == [".TH", ".nh", ".ad", ".SH", ".SS", ".PP", ".TP", ".B", ".br"])
    }

    private func text(_ arguments: [String], program: String = "usher") throws -> String {
        guard case .help(let help) = try Command(arguments, environment: { _ in nil }) else { throw NoHelp() }
        return help.text(for: program, version: "1.2.3")
    }

    private struct NoHelp: Error {}

    /// Returns the values of all options.
    private static func description(of options: ServeOptions) -> String {
        var text = ""
        dump(options, to: &text)
        return text
    }
}
