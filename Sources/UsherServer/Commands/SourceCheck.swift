import UsherAuthoring
import UsherJSON

/// `usher uikit check`: finds APIs that an iOS app uses but the server lacks, and state that sessions would share.
package struct SourceCheck: Equatable, Sendable {
    enum Form: String, Sendable {
        case text, json
    }

    private let path: String
    private let options: SourceCheckOptions

    static let options = SourceCheckOptions.all

    init(_ words: CommandWords) throws(UsageError) {
        var options = SourceCheckOptions()
        let operands = try SourceCheckOptions.all.read(words, into: &options).operands
        guard let path = operands.first, operands.count == 1, !path.isEmpty else {
            throw UsageError("\"uikit check\" takes one file or folder, as in \"usher uikit check Sources\"")
        }
        self.path = path
        self.options = options
    }

    /// Runs the check, and returns the exit status: 1 if the files share state between sessions, or use an API that the
    /// server lacks; otherwise 0.
    ///
    /// - Throws: An error whose description is one sentence for the user.
    func run(write: (String) -> Void) throws -> Int32 {
        let files = try SourceFiles(path)
        try files.expectFiles(in: options.excluded)
        let uses = files.globalUses(excluding: options.excluded)
        let gaps = files.gaps(excluding: options.excluded)
        let missing = gaps.filter { $0.status == .missing }
        switch options.form {
        case .text:
            for (file, use) in uses { write("\(file):\(use.description)") }
            for gap in options.showsDifferences ? gaps : missing { write(gap.description) }
            let place = files.sources.count == 1 ? "1 file" : "\(files.sources.count) files"
            write("uses of the process's globals: \(uses.count), in \(place)")
            write(summary(missing: missing.count, differing: gaps.count - missing.count))
        case .json: write(String(decoding: Self.json(uses, gaps), as: UTF8.self))
        }
        return uses.isEmpty && missing.isEmpty ? 0 : 1
    }

    private func summary(missing: Int, differing: Int) -> String {
        let hint = differing == 0 || options.showsDifferences ? "" : " (--differences lists them)"
        return "missing APIs: \(missing), APIs that differ from a phone: \(differing)\(hint)"
    }

    private static func json(_ uses: [(file: String, use: GlobalUse)], _ gaps: [APIGap]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.objects("shared", of: uses) { writer, found in
                write(found.file, found.use.line, found.use.column, into: &writer)
                writer.member("name", found.use.name)
                writer.member("remedy", found.use.remedy)
            }
            writer.objects("apis", of: gaps) { writer, gap in
                write(gap.file, gap.line, gap.column, into: &writer)
                writer.member("name", gap.name)
                writer.member("status", gap.status.rawValue)
                writer.member("uses", gap.count)
                if let section = gap.section { writer.member("section", section) }
                if !gap.text.isEmpty { writer.member("behaviour", gap.text) }
            }
        }
    }

    private static func write(_ file: String, _ line: Int, _ column: Int, into writer: inout JSONWriter) {
        writer.member("file", file)
        writer.member("line", line)
        writer.member("column", column)
    }
}

struct SourceCheckOptions: Equatable, Sendable {
    fileprivate var excluded: [String] = []
    fileprivate var showsDifferences = false
    fileprivate var form = SourceCheck.Form.text

    static let all = CommandOptions<SourceCheckOptions>(
        [
            CommandOption(
                "exclude", "PATH",
                "a file or folder below PATH that is not compiled on Linux; repeatable",
                isRepeatable: true
            ) { text, options throws(UsageError) in
                options.excluded.append(
                    try CommandOption<SourceCheckOptions>.path("a file or folder below the one to check")(
                        text, "exclude"))
            },
            CommandOption(
                "differences", "also list the APIs that differ from a phone", sets: \.showsDifferences, to: true),
            CommandOption(
                "as", "text|json", "print lines of text, or one JSON document (default: text)", sets: \.form,
                CommandOption<SourceCheckOptions>.word(.text, .json)),
        ])
}
