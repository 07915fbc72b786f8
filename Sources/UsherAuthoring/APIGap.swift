/// An API of Apple's that an app uses, and that the modules of UsherUIKit lack or implement differently.
package struct APIGap: Equatable, Sendable {
    /// How the modules' API differs from Apple's.
    package enum Status: String, Sendable {
        /// The modules do not declare the API: code that uses it does not compile.
        case missing
        /// The API behaves differently from a phone.
        case differs
    }

    /// The API, such as `UIView.layer`, `import MapKit` or `#selector`.
    package let name: String
    package let status: Status
    /// The title of the API's section in docs/uikit-parity.md; nil if no row names the API.
    package let section: String?
    /// What to do, or how the API behaves here; empty if docs/uikit-parity.md does not say.
    package let text: String
    /// The file of the first use.
    package let file: String
    /// The line of the first use, from 1.
    package let line: Int
    /// The column of the first use in bytes, from 1.
    package let column: Int
    /// The number of uses.
    package private(set) var count: Int

    init(_ name: String, _ row: ModuleAPI.Row?, at token: SwiftToken, in file: String) {
        self.name = name
        status = row?.status ?? .missing
        section = row?.section
        text = row?.text ?? ""
        self.file = file
        line = token.line
        column = token.column
        count = 1
    }

    /// Creates the gap of code that the plug-in UsherSelectors cannot copy.
    fileprivate init(_ fault: LinuxCopy.Fault) {
        name = fault.name
        status = .missing
        section = "The language, and Apple's other modules"
        text = fault.text
        file = fault.file
        line = fault.line
        column = fault.column
        count = 1
    }

    /// The gap as one line, such as `Login.swift:7:21: UIView.layer is missing, 3 uses`.
    package var description: String {
        let state =
            switch (status, section) {
            case (.missing, nil): "is declared neither in the modules nor in these files"
            case (.missing, _): "is missing"
            case (.differs, _): "differs"
            }
        let uses = count == 1 ? "1 use" : "\(count) uses"
        return "\(file):\(line):\(column): \(name) \(state), \(uses)\(text.isEmpty ? "" : ": \(text)")"
    }

    fileprivate mutating func countAnother() { count += 1 }
}

extension SourceFiles {
    /// The APIs that the files use and the modules lack or implement differently.
    ///
    /// Each API is reported once, with its first use. Only code for which the plug-in UsherSelectors has no counterpart
    /// is reported at each use. Missing APIs come first; otherwise the order is the order of the files.
    ///
    /// - Parameter excluded: The files and folders, below the path of these files, that are not compiled on Linux. The
    ///   search ignores the APIs that these files use, but not the names that they declare, because replacements
    ///   declare the same types.
    package func gaps(excluding excluded: [String] = []) -> [APIGap] {
        let names = AppNames(in: Array(sources.values), modules: targets)
        var found: [APIGap] = []
        var places: [String: Int] = [:]
        for (path, source) in sources.sorted(by: { $0.key < $1.key }) where !isExcluded(path, by: excluded) {
            for gap in APIGapSearch(source.onLinux, in: path, of: names).gaps() {
                if let place = places[gap.name] {
                    found[place].countAnother()
                } else {
                    places[gap.name] = found.count
                    found.append(gap)
                }
            }
        }
        let copied = Set(sources.keys.filter { !isExcluded($0, by: excluded) })
        let faults = linuxCopies(of: copied).sorted { $0.key < $1.key }.flatMap(\.value.faults)
        // The table has rows for all other code that needs Objective-C.
        let uncopied = faults.filter { fault in
            places[fault.name].map { found[$0].status } != .missing
                && sources[fault.file]?.allowedLines.contains(fault.line) == false
        }.map(APIGap.init)
        return found.filter { $0.status == .missing } + uncopied + found.filter { $0.status == .differs }
    }
}

extension SourceFiles {
    /// The names of the targets in the packages' manifests that are among these files.
    private var targets: Set<String> {
        var names: Set<String> = []
        for (path, source) in sources where path.split(separator: "/").last == "Package.swift" {
            guard let bytes = contents[path] else { continue }
            let places = BytePlaces(bytes)
            for (index, token) in source.tokens.enumerated().dropFirst().dropLast(4)
            where ["executableTarget", "macro", "target"].contains(where: token.isName) {
                let name = source.tokens[index + 4]
                guard source.tokens[index - 1].isMark("."), source.tokens[index + 1].isMark("("),
                    source.tokens[index + 2].isName("name"), name.kind == .literal
                else { continue }
                let text = bytes[places.offset(of: name)...].dropFirst().prefix { $0 != UInt8(ascii: "\"") }
                names.insert(String(decoding: text, as: UTF8.self))
            }
        }
        return names
    }
}

/// The names that an app declares, so that the search does not mistake them for Apple's.
struct AppNames: Sendable {
    private var types: Set<String> = []
    private var members: Set<String> = []
    private var supertypes: [String: [String]] = [:]
    private let modules: Set<String>

    /// Finds the names that some files declare, which may import some modules of the same package.
    init(in sources: [SwiftSource], modules: Set<String> = []) {
        self.modules = modules
        for source in sources {
            let tokens = source.tokens
            for (index, name) in tokens.enumerated().dropFirst() where name.kind == .name {
                let keyword = tokens[index - 1]
                // A function such as `func NavigationView(…)` is called like a type's initializer.
                let isInitializer = keyword.isName("func") && name.text.first?.isUppercase == true
                if Self.kindsOfTypes.contains(keyword.text) || isInitializer { types.insert(name.text) }
                guard Self.kindsOfMembers.contains(keyword.text) else { continue }
                // An override is left out, because a superclass declares the member.
                if !tokens.modifiers(before: index - 1, in: tokens.indices).contains("override") {
                    members.insert(name.text)
                }
                if keyword.isName("case") { addCases(after: index, in: tokens) }
            }
            for outline in ClassOutline.all(in: source) where outline.isDeclaration {
                supertypes[outline.name, default: []] += outline.supertypes
            }
        }
    }

    /// Adds the further cases of `case first, second(Int), third`.
    private mutating func addCases(after index: Int, in tokens: [SwiftToken]) {
        var place = index + 1
        while place + 1 < tokens.count {
            if tokens[place].isMark("(") { place = tokens.end(ofBlockAt: place) + 1 }
            guard place + 1 < tokens.count, tokens[place].isMark(","), tokens[place + 1].kind == .name else { return }
            members.insert(tokens[place + 1].text)
            place += 2
        }
    }

    private static let kindsOfTypes: Set<String> = [
        "actor", "associatedtype", "class", "enum", "macro", "protocol", "struct", "typealias",
    ]
    private static let kindsOfMembers: Set<String> = ["case", "func", "let", "var"]

    func declaresType(_ name: String) -> Bool { types.contains(name) }

    func declaresModule(_ name: String) -> Bool { modules.contains(name) }

    /// Returns whether a type, an extension or a function of the app declares a name, except as an override.
    func declaresMember(_ name: String) -> Bool { members.contains(name) || types.contains(name) }

    /// Returns the first type of the modules from which a type of the app inherits; nil if there is none.
    func moduleType(of name: String) -> String? {
        var reached = [name]
        var index = 0
        while index < reached.count {
            for supertype in supertypes[reached[index]] ?? [] where !reached.contains(supertype) {
                if !declaresType(supertype), ModuleAPI.current.declaresType(supertype) { return supertype }
                reached.append(supertype)
            }
            index += 1
        }
        return nil
    }
}
