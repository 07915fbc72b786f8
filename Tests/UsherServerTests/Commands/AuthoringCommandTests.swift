import LocalhostClient
import Programs
import Testing
import UsherJSON
import UsherServer

@Suite("The commands usher uikit and usher new", .blocking, .timeLimit(.minutes(5)))
struct AuthoringCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `usher uikit prints one line for each use of process-wide state and exits with status 1`() throws {
        let file = folder("Store.swift")
        try write("import Foundation\nlet a = UserDefaults.standard\nlet b = Date()\n", to: "Store.swift")
        try write("not Swift: \"", to: "notes.txt")
        let end = try run(["uikit", "check", folder.path])
        #expect(end.status == 1)
        let lines = end.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(end.output)")
        #expect(lines[0].hasPrefix("\(file):2:9: UserDefaults.standard is shared by the whole process"))
        #expect(lines[1].hasPrefix("\(file):3:9: Date() is the process's clock"))
        #expect(lines[2] == "uses of the process's globals: 2, in 1 file")
        #expect(lines[3] == "missing APIs: 0, APIs that differ from a phone: 0")
        #expect(try run(["uikit", "check", file]).output == end.output)
    }

    @Test func `usher uikit exits with status 0 if no file uses process-wide state`() throws {
        try write("import UIKit\nfunc f() { UserDefaults.standard.removeObject(forKey: \"a\") }\n", to: "Store.swift")
        let end = try run(["uikit", "check", folder.path])
        #expect(end.status == 0)
        #expect(
            end.output == """
                uses of the process's globals: 0, in 1 file
                missing APIs: 0, APIs that differ from a phone: 1 (--differences lists them)

                """)
    }

    @Test func `usher uikit prints one line for each missing API and its first use, and exits with status 1`() throws {
        let code = "import UIKit\nimport MapKit\nlet a = UILabel()\nlet b = UILabel()\nlet c = UIScreen.main\n"
        try #require(try Program.run(["mkdir", "-p", folder("App/Screens")]).status == 0)
        try write(code, to: "App/Screens/Map.swift")
        let file = folder("App/Screens/Map.swift")
        let end = try run(["uikit", "check", folder.path])
        #expect(end.status == 1)
        let lines = end.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("\(file):2:1: import MapKit is missing, 1 use: "))
        #expect(lines[1] == "\(file):3:9: UILabel is missing, 2 uses: a view: a controller's replacement has none")
        #expect(lines[3].hasPrefix("missing APIs: 2, APIs that differ from a phone: 1 (--diff"))
        let all = try run(["uikit", "check", folder.path, "--differences"])
        #expect(all.output.contains("\(file):5:18: UIScreen.main differs, 1 use: the size of one phone\n"))
        let excluded = try run(["uikit", "check", folder.path, "--exclude", "App/Screens"])
        #expect(excluded.status == 0, "\(excluded.output)")
    }

    @Test func `the report of usher uikit in JSON has all uses of shared state and all missing APIs`() throws {
        try write("import UIKit\nlet a = UUID()\nlet b = UILabel()\n", to: "A.swift")
        let end = try run(["uikit", "check", folder.path, "--as", "json"])
        #expect(end.status == 1)
        let report = try JSONDocument(parsing: Array(end.output.utf8)).root
        let shared = try #require(report[member: "shared"]?.elements.first { _ in true })
        #expect(shared[member: "name"]?.string == "UUID()" && shared[member: "line"]?.integer == 2)
        let api = try #require(report[member: "apis"]?.elements.first { _ in true })
        #expect(api[member: "name"]?.string == "UILabel" && api[member: "status"]?.string == "missing")
        #expect(api[member: "file"]?.string == folder("A.swift") && api[member: "uses"]?.integer == 1)
        #expect(api[member: "section"]?.string == "Views and bars")
    }

    @Test func `usher uikit stub reports each omitted property in a comment and on standard error`() throws {
        try write(
            "import UIKit\nfinal class MapViewController: UIViewController { let map: Map = Map() }\n", to: "A.swift")
        let end = try run(["uikit", "stub", "MapViewController", folder.path])
        #expect(end.status == 0)
        #expect(end.output.hasPrefix("// Replaces MapViewController on Linux"))
        #expect(end.output.contains("    // Check: no property `map`, because Map is not declared in these files.\n}"))
        #expect(end.error == "MapViewController: no property `map`, because Map is not declared in these files\n")
    }

    @Test func `usher uikit skips hidden folders, links to folders and broken links`() throws {
        let make = "mkdir .build; ln -s . loop; ln -s gone.swift nowhere.swift; ln -s Store.swift again.swift; "
        let store = "echo 'let a = 1' > Store.swift; echo 'let a = Date()' > .build/Store.swift"
        #expect(try Program.run(["bash", "-c", "cd '\(folder.path)'; \(make)\(store)"]).status == 0)
        let end = try run(["uikit", "check", folder.path])
        #expect(end.output.hasPrefix("uses of the process's globals: 0, in 2 files\n"))
    }

    @Test(arguments: [
        (["uikit", "check", "/dev/null"], "cannot read /dev/null: Invalid argument"),
        (["uikit", "check", "/nowhere"], "cannot read /nowhere: No such file or directory"),
        (["uikit", "check", "FOLDER"], "there is no Swift file in"),
        (["uikit", "check", "FOLDER/broken.swift"], "broken.swift:2: a comment has no end"),
        (["uikit", "check", "FOLDER/latin.swift"], "latin.swift is not text in UTF-8"),
        (["uikit", "check", "--exclude", "Screens", "FOLDER/home.swift"], "there is no file or folder Screens below"),
        (["uikit", "stub", "Home", "FOLDER/home.swift"], "there is no type Home in these files"),
        (["new", "1shop"], "cannot be a package's name"), (["new", "UIKit"], "is already the name of a module"),
    ])
    func `usher uikit reports a failure in one sentence, with status 1`(arguments: [String], words: String) throws {
        if let file = arguments.last, file.hasPrefix("FOLDER/") {
            try write("\n/* a", to: "broken.swift")
            try write("let a = 1", to: "home.swift")
            try folder.write([0x61, 0xE9], to: "latin.swift")
        }
        let prefix = "FOLDER"
        let end = try run(arguments.map { $0.hasPrefix(prefix) ? folder.path + $0.dropFirst(prefix.count) : $0 })
        #expect(end.status == 1)
        #expect(end.error.contains(words), "\(end.error)")
        #expect(end.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        (["uikit"], "\"check\" or \"stub\""), (["uikit", "lint"], "not \"lint\""),
        (["uikit", "check"], "one file or folder"),
        (["uikit", "check", "a", "b"], "one file or folder"), (["uikit", "check", ""], "one file or folder"),
        (["uikit", "check", "--fast", "a"], "unknown option"), (["uikit", "stub"], "a type and a file"),
        (["uikit", "check", "a", "--as", "xml"], "text or json"),
        (["uikit", "check", "--exclude="], "--exclude takes"),
        (["uikit", "stub", "--exclude", "a"], "unknown option"),
        (["uikit", "stub", "a b"], "a type and a file"), (["uikit", "stub", "A", "b", "c"], "a type and a file"),
        (["new"], "one name"), (["new", "A", "B"], "one name"), (["new", "A", "--uikit=1"], "takes no value"),
        (["new", "A", "--usher"], "needs a value"), (["new", "A", "--usher", "https://a/b"], "needs --version"),
        (["new", "A", "--version", "1.0.0"], "needs a URL in --usher"),
        (["new", "A", "--usher="], "relative to the new package"),
    ])
    func `usher uikit and usher new refuse invalid arguments with a message`(arguments: [String], words: String) throws
    {
        let error = try #require(throws: UsageError.self) { try Command(arguments) { _ in nil } }
        #expect(error.reason.contains(words), "\(error.reason)")
    }

    @Test func `usher new creates the package's folder, and refuses a folder that exists`() throws {
        let usher = Program.products + "/usher"
        let make = ["bash", "-c", "cd '\(folder.path)' && '\(usher)' new shop --uikit"]
        #expect(try Program.run(["bash", "-c", "mkdir '\(folder.path)/usher'"]).status == 0)
        try write("", to: "usher/Package.swift")
        let end = try Program.run(make)
        #expect(end.status == 0)
        let lines = end.output.split(separator: "\n").map { $0.split(separator: "#")[0] }
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "the folder shop was created; now:", "cd shop", "swift test", "swift run Shop serve", "script/build",
            ])
        let script = ["bash", "-c", "cd '\(folder.path)/shop' && find . -type f -executable"]
        #expect(try Program.run(script).output == "./script/build\n")
        let again = try Program.run(make)
        #expect(again.status == 1)
        #expect(again.error.contains("cannot make shop: File exists"))
        let files = try Program.run(["bash", "-c", "cd '\(folder.path)/shop' && find . -type f | sort"]).output
        #expect(files.contains("./Package.swift\n./Sources/Shop/Coordinators.swift\n"))
        let file = "\(folder.path)/shop/Sources/Shop/ViewControllers.swift"
        #expect(try run(["uikit", "stub", "DetailViewController", file]).output.contains("init(number: Int) {"))
    }

    @Test(arguments: [("", "../usher"), ("--usher ../..", "../.."), ("--usher /nowhere", "/nowhere")])
    func `usher new reports an error if Usher is not in the expected folder`(option: String, place: String) throws {
        let usher = Program.products + "/usher"
        let end = try Program.run(["bash", "-c", "cd '\(folder.path)' && '\(usher)' new shop \(option)"])
        #expect(end.status == 0)
        #expect(
            end.output
                == """
                the folder shop was created; but Usher is not in \(place), relative to that folder; write the right path into Package.swift and Dockerfile

                """)
    }

    private func write(_ text: String, to name: String) throws {
        try folder.write(Array(text.utf8), to: name)
    }

    private func run(_ arguments: [String]) throws -> ProgramEnd {
        try Program(usher: arguments).finish()
    }
}
