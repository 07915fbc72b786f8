import Foundation
import LocalhostClient
import Programs
import Testing
import UsherAuthoring
import UsherJSON

@testable import UsherServer

/// Compares the jobs in docs/uikit-ci.md with the programs that they run.
@Suite("The jobs in docs/uikit-ci.md", .blocking, .timeLimit(.minutes(5)))
struct DocumentedJobTests {
    private static let document = URL(filePath: #filePath).appending(path: "../../../../docs/uikit-ci.md").standardized

    @Test(.enabled(if: OptionalProgram.has("python3", "-c", "import yaml"), "python3-yaml is not installed"))
    func `both jobs are valid YAML with the same commands, and each command exists`() throws {
        let jobs = try Self.blocks().map(Self.parsed)
        try #require(jobs.count == 2)
        let commands = jobs.map { Self.strings("run", in: $0) + Self.strings("script", in: $0) }
        #expect(commands[0].count == 5 && commands[0] == commands[1])
        for command in commands[0].flatMap({ $0.components(separatedBy: " && ") }) { try Self.expectExists(command) }
    }

    @Test(.enabled(if: OptionalProgram.has("python3", "-c", "import yaml"), "python3-yaml is not installed"))
    func `both jobs use the image of the Dockerfile that usher new writes`() throws {
        let file = try Self.dockerfile()
        for job in try Self.blocks().map(Self.parsed) {
            let image = Self.strings("container", in: job) + Self.strings("image", in: job)
            try #require(image.count == 1)
            #expect(file.contains("\nFROM \(image[0]) AS build\n"))
        }
    }

    /// Expects that a program has a command with these options.
    private static func expectExists(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        switch (words[0], words[1]) {
        case ("swift", "run"):
            #expect(words[2] == "TrailServer")
            _ = try Command(Array(words.dropFirst(3))) { _ in nil }
        case ("swift", let subcommand):
            let help = try Program.run(["swift", subcommand, "--help"])
            for option in words.dropFirst(2) { #expect(help.output.contains(option), "\(command)") }
        case ("apt-get", "install"):
            let packages = Set(words.dropFirst(2).filter { !$0.hasPrefix("-") })
            let lines = try dockerfile().split(separator: "FROM ")[1]
            let image = Set(lines.split { $0.isWhitespace || $0 == "\\" }.map(String.init))
            #expect(!packages.isEmpty && packages.isSubset(of: image))
            #expect(packages == image.filter { $0.hasSuffix("-dev") || $0 == "pkg-config" })
        case ("apt-get", "update"): break
        default: Issue.record("no program is known for: \(command)")
        }
    }

    private static func dockerfile() throws -> String {
        let usher = PackageTemplate.PackageLocation.url("https://usher.example/usher", version: "0.1.0")
        return try #require(try PackageTemplate(named: "Trail", usher: usher, isOnUIKit: true).files["Dockerfile"])
    }

    /// Returns the blocks of YAML in the document.
    private static func blocks() throws -> [String] {
        let parts = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "```yaml\n")
        return parts.dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    private static func parsed(_ yaml: String) throws -> JSONValue {
        let folder = try TemporaryFolder()
        try folder.write(Array(yaml.utf8), to: "job.yaml")
        let reader = "import json, sys, yaml; json.dump(yaml.load(sys.stdin, yaml.BaseLoader), sys.stdout)"
        let end = try Program.run(["python3", "-c", reader], input: folder("job.yaml"))
        try #require(end.status == 0, "\(end.error)")
        return try JSONDocument(parsing: Array(end.output.utf8)).root
    }

    /// Returns the texts, or lists of texts, of all members with a name.
    private static func strings(_ name: String, in value: JSONValue) -> [String] {
        var found: [String] = []
        for element in value.elements { found += strings(name, in: element) }
        for (key, member) in value.members {
            if key == name { found += member.string.map { [$0] } ?? member.elements.compactMap(\.string) }
            found += strings(name, in: member)
        }
        return found
    }
}
