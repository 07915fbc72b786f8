/// The manual page of a program, as source text for man(1) with the macros of man(7).
struct ManualPage {
    private var lines: [String] = []

    /// The source text, without the last line feed.
    var text: String { lines.joined(separator: "\n") }

    init(for program: String, version: String) {
        let commands = Command.sections.flatMap { $0.entries }.map(\.help)
        call("TH", program.uppercased(), "1", "", "usher \(version)", "User Commands")
        // Prevents line breaks within the names of options and files.
        lines += [".nh", ".ad l"]
        call("SH", "NAME")
        lines.append("\(Self.escaped(program)) \\- \(Self.escaped("runs an app's navigation on the server"))")
        call("SH", "SYNOPSIS")
        add(forms: commands.flatMap { $0.forms(of: program) } + ["\(program) --version"])
        call("SH", "DESCRIPTION")
        add(HelpSentence.purpose)
        for section in Command.sections {
            call("SH", section.title.uppercased())
            for entry in section.entries { add(entry.help, program) }
        }
        call("SH", "FILES")
        add(
            "Without --journal, the journal is $XDG_STATE_HOME/usher/journal.sqlite, or "
                + "~/.local/state/usher/journal.sqlite if that variable is not set.")
        call("SH", "EXIT STATUS")
        add(HelpSentence.exitStatus)
    }

    private mutating func add(_ help: CommandHelp, _ program: String) {
        call("SS", help.name)
        add(forms: help.forms(of: program))
        for paragraph in [help.sentence] + help.description {
            call("PP")
            add(paragraph)
        }
        for list in help.options {
            call("PP")
            call("B", "\(list.title):")
            for option in list.options {
                call("TP")
                let value = option.placeholder.isEmpty ? "" : " \\fI\(Self.escaped(option.placeholder))\\fR"
                lines.append("\\fB\(Self.escaped(option.name))\\fR\(value)")
                add(option.summary)
            }
        }
    }

    private mutating func add(forms: [String]) {
        for (index, form) in forms.enumerated() {
            if index > 0 { call("br") }
            call("B", form)
        }
    }

    private mutating func call(_ macro: String, _ arguments: String...) {
        lines.append(([".\(macro)"] + arguments.map { "\"\(Self.escaped($0))\"" }).joined(separator: " "))
    }

    private mutating func add(_ text: String) {
        for line in text.wrapped(to: 72) {
            // Escapes a dot or an apostrophe at the start of a line, because the line would then call a macro.
            let isCall = line.hasPrefix(".") || line.hasPrefix("'")
            lines.append((isCall ? "\\&" : "") + Self.escaped(line))
        }
    }

    /// Escapes the characters that roff would interpret or replace.
    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "\"": "\\(dq"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            default: String(character)
            }
        }.joined()
    }
}
