import UsherProcess

/// The parsed Swift files below a path.
package struct SourceFiles: Sendable {
    /// An error for files that cannot be checked; the description is one sentence.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The sources by path.
    package let sources: [String: SwiftSource]
    /// The texts by path.
    let contents: [String: [UInt8]]
    /// The path of the file or folder.
    private let root: String

    /// Reads a file, or all Swift files below a folder.
    ///
    /// - Throws: `SystemError`; `Failure` if there is no such file, or if a file is not Swift.
    package init(_ path: String) throws {
        try self.init(path, SourceFolder.read(path, suffix: ".swift"))
        guard !sources.isEmpty else { throw Failure(description: "there is no Swift file in \(path)") }
    }

    /// Reads some Swift files below a folder.
    ///
    /// - Throws: `SystemError`; `Failure` if a file is not Swift.
    package init(_ folder: String, files: [String]) throws {
        var contents: [String: [UInt8]] = [:]
        for file in files { contents["\(folder)/\(file)"] = try WholeFile.read("\(folder)/\(file)") }
        try self.init(folder, contents)
    }

    private init(_ path: String, _ files: [String: [UInt8]]) throws {
        root = path
        var sources: [String: SwiftSource] = [:]
        for (path, bytes) in files {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw Failure(description: "\(path) is not text in UTF-8")
            }
            do throws(SwiftSourceError) { sources[path] = try SwiftSource(bytes) } catch {
                throw Failure(description: "\(path):\(error.line): \(error.description)")
            }
        }
        self.sources = sources
        contents = files
    }

    /// A line for each use of a global of the process, such as `Login.swift:7:21: Date() is …`, in the order of files.
    package var globalUses: [String] { globalUses(excluding: []).map { "\($0.file):\($0.use.description)" } }

    /// Returns the uses of globals of the process in the order of files, except in some files and folders below the path.
    package func globalUses(excluding excluded: [String]) -> [(file: String, use: GlobalUse)] {
        let app = AppDeclarations(in: Array(sources.values))
        return sources.sorted { $0.key < $1.key }.flatMap { path, source in
            isExcluded(path, by: excluded) ? [] : GlobalUseSearch(source, of: app).uses().map { (path, $0) }
        }
    }

    /// Checks that some files and folders exist below the path; a folder may be without Swift files.
    ///
    /// - Throws: `Failure` for the first that does not exist, because a mistyped name would exclude nothing.
    package func expectFiles(in excluded: [String]) throws(Failure) {
        for name in excluded where !sources.keys.contains(where: { isExcluded($0, by: [name]) }) {
            guard (try? SourceFolder.read("\(root)/\(name)", suffix: ".swift")) == nil else { continue }
            throw Failure(
                description: "there is no file or folder \(name) below \(root); write its path relative to \(root)")
        }
    }

    /// Returns whether a file is in a list of files and folders, which are given relative to `root`.
    func isExcluded(_ path: String, by excluded: [String]) -> Bool {
        let folder = root.hasSuffix("/") ? root : "\(root)/"
        guard path.hasPrefix(folder) else { return false }
        let place = path.dropFirst(folder.count)
        return excluded.contains { place == $0 || place.hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/") }
    }
}

/// The declarations of an app that the search for globals needs.
package struct AppDeclarations: Sendable {
    private var stateful: Set<String> = []
    private var methods: Set<String> = []
    private var types: Set<String> = []
    private var aliases: Set<String> = []
    /// The structures and enumerations that contain no reference to an object.
    private var values: Set<String> = []

    package init(in sources: [SwiftSource]) {
        for tokens in sources.map(\.tokens) {
            for (keyword, name) in zip(tokens, tokens.dropFirst()) where name.kind == .name {
                if Self.kindsOfTypes.contains(keyword.text) { types.insert(name.text) }
            }
            aliases.formUnion(Self.aliasesOfUIKit(in: tokens))
        }
        for outline in sources.flatMap({ ClassOutline.all(in: $0) }) {
            methods.formUnion(outline.methods.map(\.name))
            guard outline.kind == "class" || outline.kind == "actor" else { continue }
            // A `Sendable` class without `@unchecked` can change only state behind a lock or an actor.
            let isSendable = outline.supertypes.contains("Sendable") && !outline.supertypes.contains("unchecked")
            if !isSendable || outline.hasGuardedState { stateful.insert(outline.name) }
        }
        values = Self.values(in: sources)
    }

    private static func values(in sources: [SwiftSource]) -> Set<String> {
        var parts: [String: [String]] = [:]
        for source in sources {
            for outline in ClassOutline.all(in: source) where outline.kind == "struct" {
                parts[outline.name, default: []] += outline.properties.filter { property in
                    property.isStored && !property.modifiers.contains("static")
                }.map(\.type)
            }
            for enumeration in source.tokens.enumerations(in: source.tokens.indices) {
                parts[enumeration.name, default: []] += enumeration.cases.flatMap { $0.values.map(\.type) }
            }
        }
        var values = Set(parts.keys)
        var count = -1
        while count != values.count {
            count = values.count
            values = values.filter { name in parts[name]?.allSatisfy { isValue($0, with: values) } == true }
        }
        return values
    }

    /// Returns whether all names in a type are those of values; a type that is not written may be any.
    private static func isValue(_ type: String, with own: Set<String>) -> Bool {
        let words = StubTypes.words(in: type)
        return !words.isEmpty && !type.contains("-" as Character)
            && words.allSatisfy { own.contains($0) || valuesOfSystem.contains($0) }
    }

    private static let valuesOfSystem: Set<String> = [
        "Array", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration", "Float", "Int",
        "Int16", "Int32", "Int64", "Int8", "Optional", "Range", "ClosedRange", "Set", "String", "Substring",
        "TimeInterval", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID", "Void",
    ]

    /// Returns whether values of a type, such as `[Answer]`, contain no reference to an object.
    func isValue(_ type: String) -> Bool { Self.isValue(type, with: values) }

    private static let kindsOfTypes: Set<String> = ["actor", "class", "enum", "protocol", "struct", "typealias"]

    /// Returns the names that a file's aliases give UIKit's types, as in `typealias Timer = UIKit.Timer`.
    private static func aliasesOfUIKit(in tokens: [SwiftToken]) -> [String] {
        tokens.indices.dropLast(5).compactMap { index in
            let alias = tokens[index..<(index + 6)].map(\.text)
            return alias == ["typealias", alias[1], "=", "UIKit", ".", alias[1]] ? alias[1] : nil
        }
    }

    /// Returns whether a type alias gives a name UIKit's meaning in all files.
    func isSessions(_ type: String) -> Bool { aliases.contains(type) }

    func declares(_ type: String) -> Bool { types.contains(type) }

    /// Returns whether a type is a class or an actor whose objects have state.
    func hasState(_ type: String) -> Bool { stateful.contains(type) }

    func declaresMethod(_ name: String) -> Bool { methods.contains(name) }
}

/// A member that is accessed on a type.
struct MemberUse {
    /// The member's name; `init` for a call of the type.
    let member: String
    /// The label of the first argument; empty for no arguments, nil for no label or no call.
    let label: String?

    /// Returns the expression as it is written, such as `Date()`.
    func text(of type: String) -> String {
        guard member == "init" else { return "\(type).\(member)" }
        return label.map { $0.isEmpty ? "\(type)()" : "\(type)(\($0):)" } ?? type
    }
}

/// Globals of a process that apps use.
enum ProcessGlobal {
    /// The globals that the module UIKit replaces by the session's own values.
    private static let replaced: [String: Set<String>] = [
        "UserDefaults": ["standard", "init"], "NotificationCenter": ["default"],
        "Locale": ["current", "autoupdatingCurrent"], "TimeZone": ["current", "autoupdatingCurrent"],
        "DispatchQueue": ["main", "global"], "DispatchTime": ["now"], "RunLoop": ["main", "current"],
        "Timer": ["scheduledTimer", "init"], "Task": ["init", "detached"],
    ]

    /// The globals that hide UIKit's replacement if a file imports these modules besides UIKit, which re-exports them.
    private static let hidden: [String: Set<String>] = [
        "DispatchQueue": ["Foundation", "Dispatch"], "DispatchTime": ["Foundation", "Dispatch"],
        "RunLoop": ["Foundation"], "Timer": ["Foundation"],
    ]

    static func isReplaced(_ type: String, _ use: MemberUse) -> Bool { replaced[type]?.contains(use.member) == true }

    /// Returns whether a file with these imports gets the process's global although it imports UIKit.
    static func isHidden(_ type: String, by imports: Set<String>) -> Bool {
        importsUIKit(imports) && hidden[type]?.isDisjoint(with: imports) == false
    }

    /// Returns whether a file with these imports imports UIKit, directly or through a module that re-exports it.
    static func importsUIKit(_ imports: Set<String>) -> Bool {
        !imports.isDisjoint(with: [
            "AuthenticationServices", "Combine", "LocalAuthentication", "MessageUI", "PhotosUI", "SafariServices",
            "StoreKit", "SwiftUI", "UIKit", "UniformTypeIdentifiers", "UserNotifications",
        ])
    }

    /// Returns the other remedy for a type: an alias through which the name means the session's type in all files.
    static func aliasRemedy(_ type: String) -> String {
        ["Locale", "TimeZone"].contains(type)
            ? "" : "; or, for all files of the module, write `typealias \(type) = UIKit.\(type)` in one file"
    }

    static func isOfSystem(_ type: String) -> Bool {
        type.hasPrefix("UI") || type.hasPrefix("NS") || replaced[type] != nil
            || ["FileManager", "NotificationQueue", "ProcessInfo", "Bundle"].contains(type)
    }

    /// Returns why a library's singleton cannot be used, and what to write instead.
    static func singletonRemedy(_ type: String) -> String {
        "belongs to a library and is shared by all sessions: create one for each session, "
            + "`UIKitSession.current?.value(\(type).self) { \(type)() }`"
    }

    static let randomRemedy =
        "uses the system's random numbers, which differ in a replay: pass the session's `random` as `using:`"

    static let formatRemedy =
        "has the machine's language and time zone: set `locale` to `Locale.current` and `timeZone` to `TimeZone.current`, "
        + "which are the session's"

    /// Returns the properties to set on a new value, such as a locale, so that it uses the session's settings.
    static func settings(_ type: String, _ use: MemberUse) -> [String] {
        guard use.member == "init" else { return [] }
        switch type {
        case "DateFormatter": return ["locale", "timeZone"]
        case "NumberFormatter": return ["locale"]
        case "Calendar": return ["timeZone"]
        default: return []
        }
    }

    private static let clockRemedy =
        "is the process's clock, which a replay reads at another time: use the input's time, `UIKitSession.current?.now`"

    /// Returns why a global that no module can replace must not be used; nil for other globals.
    static func remedy(_ type: String, _ use: MemberUse) -> String? {
        switch (type, use.member) {
        case ("Date", "init") where use.label == "" || use.label == "timeIntervalSinceNow", ("Date", "now"),
            ("ContinuousClock", "now"), ("ContinuousClock", "init"), ("SuspendingClock", "now"),
            ("SuspendingClock", "init"), ("CFAbsoluteTimeGetCurrent", "init"), ("CACurrentMediaTime", "init"):
            clockRemedy
        case ("UUID", "init") where use.label == "":
            "differs in each replay: derive it from the session's random numbers, `UIKitSession.current?.root?.random`"
        case ("SystemRandomNumberGenerator", "init"), ("arc4random", "init"), ("arc4random_uniform", "init"):
            randomRemedy
        case ("DateFormatter", "init") where use.label == "", ("NumberFormatter", "init") where use.label == "",
            ("DateFormatter", "localizedString"), ("NumberFormatter", "localizedString"):
            formatRemedy
        case ("Calendar", "init") where use.label == "identifier":
            "has the machine's time zone: set its `timeZone` to `TimeZone.current`, which is the session's"
        case ("Calendar", "current"), ("Calendar", "autoupdatingCurrent"):
            "belongs to the machine: set a calendar's `locale` to `Locale.current` and its `timeZone` to `TimeZone.current`, "
                + "which are the session's"
        case ("HTTPCookieStorage", "shared"), ("URLCredentialStorage", "shared"), ("URLCache", "shared"):
            "is shared by all users: give each session's client its own storage"
        case ("URLSession", "shared"):
            "has the cookies of all users, and an input must not wait for a request: send the request in an effect, by a "
                + "`URLSession` without storages"
        default: nil
        }
    }
}

/// The places at which an app's files declare its types, to complete messages that name the types.
package struct DeclaredTypes: Sendable {
    private let places: [String: String]

    /// Finds the classes, structs, actors and protocols of some files; of several with one name, only the first counts.
    package init(in files: SourceFiles) {
        var places: [String: String] = [:]
        for (path, source) in files.sources.sorted(by: { $0.key < $1.key }) {
            for type in ClassOutline.all(in: source) where type.isDeclaration && places[type.name] == nil {
                places[type.name] = "\(path):\(type.line)"
            }
        }
        self.places = places
    }

    /// Returns the places of the types that a sentence names, such as `Profile.swift:7`, in order, each place once.
    package func places(namedIn sentence: String) -> [String] {
        let words = sentence.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        var found: [String] = []
        for place in words.compactMap({ places[String($0)] }) where !found.contains(place) { found.append(place) }
        return found
    }
}
