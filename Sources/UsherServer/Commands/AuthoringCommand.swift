package import UsherAuthoring
import UsherProcess

/// A command for authors of apps: it reads Swift files or creates a package.
package enum AuthoringCommand: Equatable, Sendable {
    /// Finds APIs that an iOS app uses but the server lacks, and state that all sessions would share.
    case check(SourceCheck)
    /// Prints a replacement of a view controller or a SwiftUI view.
    case stub(type: String, path: String)
    case new(name: String, usher: PackageTemplate.PackageLocation, isOnUIKit: Bool)

    static let uikitHelp = CommandHelp(
        "uikit", "prepare the files of an iOS app for the server",
        synopses: ["check PATH [OPTION...]", "stub TYPE [PATH]"],
        description: [
            """
            "check" reads a Swift file, or the files below a folder, before you compile them for Linux. It prints a line \
            for each use of something that all sessions of the process would share, such as a singleton, Date(), \
            or UserDefaults.standard of Foundation. The line has the place, the expression, and what to write instead.
            """,
            """
            "check" also prints a line for each type, module, attribute or member of Apple's that is missing here: the \
            place of the first use, the number of uses, and what docs/uikit-parity.md says about the API. The command \
            ignores code in branches of #if that are false on Linux. It finds a member only if the file shows which \
            type has the member, or if no other type has a member of this name.
            """,
            """
            A comment "usher:allow" in the line, or in the line above, allows the use. The exit status is 1 if "check" \
            finds such a use, or an API that is missing.
            """,
            """
            "stub" prints a file that replaces the view controller or SwiftUI view TYPE on Linux, from its declaration \
            in a file or in the files below a folder; PATH is the current folder unless given. The replacement has the \
            same initializers, an event for each closure and each call of its view model, delegate or coordinator, and \
            no views. What the replacement lacks is listed in its comments and on standard error.
            """,
        ], options: SourceCheck.options)

    static let newHelp = CommandHelp(
        "new", "create a package with an app, its server and a test", synopses: ["NAME [OPTION...]"],
        description: [
            """
            Creates the folder NAME. Test the package there with "swift test", and run its server with "swift run NAME \
            serve". "script/build" builds the program for operators. A Dockerfile and a systemd unit are in the package too.
            """
        ],
        options: NewPackageOptions.all)

    init(uikit words: CommandWords) throws(UsageError) {
        let rest = CommandWords(
            arguments: words.arguments.dropFirst(), engines: words.engines, environment: words.environment)
        switch words.arguments.first {
        case "check": self = .check(try SourceCheck(rest))
        case "stub":
            if let option = rest.arguments.first(where: { $0.hasPrefix("-") }) {
                throw UsageError("unknown option \"\(option)\"")
            }
            guard let type = rest.arguments.first, 1...2 ~= rest.arguments.count, Self.isName(type) else {
                throw UsageError(
                    "\"uikit stub\" takes a type and a file or folder, as in "
                        + "\"usher uikit stub LoginViewController Sources\"")
            }
            self = .stub(type: type, path: rest.arguments.dropFirst().first ?? ".")
        default: throw UsageError("\"uikit\" takes \"check\" or \"stub\", not \"\(words.arguments.first ?? "")\"")
        }
    }

    init(new words: CommandWords) throws(UsageError) {
        var settings = NewPackageOptions()
        let reading = try NewPackageOptions.all.read(words, into: &settings)
        guard let name = reading.operands.first, reading.operands.count == 1 else {
            throw UsageError("\"new\" takes one name, as in \"usher new Shop\"")
        }
        self = .new(name: name, usher: try settings.location(), isOnUIKit: settings.isOnUIKit)
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - write: Called with each line of output.
    ///   - report: Called with each line for standard error.
    /// - Returns: The exit status.
    /// - Throws: An error whose description is one sentence for the user.
    package func run(write: (String) -> Void, report: (String) -> Void) throws -> Int32 {
        switch self {
        case .check(let check): return try check.run(write: write)
        case .stub(let type, let path):
            let stub = try ControllerStub(of: type, in: SourceFiles(path).sources)
            write(stub.text)
            for remark in stub.remarks { report("\(type): \(remark)") }
        case .new(let name, let usher, let isOnUIKit):
            let template = try PackageTemplate(named: name, usher: usher, isOnUIKit: isOnUIKit)
            try SourceFolder.create(template.folder, template.files)
            write("the folder \(template.folder) was created; \(Self.nextSteps(in: template, usher))")
        }
        return 0
    }

    /// Returns the author's next steps in a new package, or a warning if Usher is not at the path in the manifest.
    private static func nextSteps(in template: PackageTemplate, _ usher: PackageTemplate.PackageLocation) -> String {
        let steps = """
            now:
                cd \(template.folder)
                swift test
                swift run \(template.name) serve
                script/build    # for operators; see Dockerfile and deploy/\(template.service).service
            """
        guard case .folder(let path) = usher else { return steps }
        let manifest = "\(path.hasPrefix("/") ? "" : "\(template.folder)/")\(path)/Package.swift"
        let isThere = (try? SourceFolder.read(manifest, suffix: ".swift")) != nil
        return isThere
            ? steps
            : "but Usher is not in \(path), relative to that folder; write the right path into Package.swift and Dockerfile"
    }
}

private struct NewPackageOptions: Sendable {
    private(set) var isOnUIKit = false
    private var place = "../usher"
    private var version: String?

    static let all = CommandOptions<NewPackageOptions>(
        [
            CommandOption("uikit", "write the coordinators for UIKit", sets: \.isOnUIKit, to: true),
            CommandOption(
                "usher", "PATH|URL",
                "the place of Usher: a path, relative to the new package, or a URL (default: ../usher)", sets: \.place,
                CommandOption<NewPackageOptions>.path("a path, relative to the new package, or a URL")),
            CommandOption("version", "VERSION", "the version of Usher; only if --usher is a URL", sets: \.version) {
                text, _ in text
            },
        ])

    func location() throws(UsageError) -> PackageTemplate.PackageLocation {
        let isRemote = ["https://", "ssh://", "git@"].contains { place.hasPrefix($0) }
        guard isRemote else {
            guard version == nil else {
                throw UsageError("--version needs a URL in --usher, because a folder has no version")
            }
            return .folder(place)
        }
        guard let version else { throw UsageError("--usher with a URL needs --version, such as --version 0.1.0") }
        return .url(place, version: version)
    }
}
