/// A use of what is the whole process's, and so every user's, where a session must have its own.
package struct GlobalUse: Equatable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// The expression, such as `UserDefaults.standard`.
    package let name: String
    /// The reason, and what to write instead.
    package let remedy: String
}

/// The search for uses of globals in a file of an app that runs in sessions, by its tokens alone.
///
/// It knows a global by its type's name: `Store(defaults: .standard)` says none, and is not found.
package struct GlobalUseSearch {
    private let source: SwiftSource
    private let tokens: [SwiftToken]
    private let app: AppDeclarations

    /// Makes a search in a file.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - app: The declarations of all files; nil for those of this one.
    package init(_ source: SwiftSource, of app: AppDeclarations? = nil) {
        self.source = source
        self.app = app ?? AppDeclarations(in: [source])
        tokens = source.tokens
    }

    /// All uses, in the order of the file, but those in lines that a comment `usher:allow` allows.
    package func uses() -> [GlobalUse] {
        tokens.indices.compactMap(use(at:)).filter { use in
            !source.allowedLines.contains(use.line)
        }
    }

    private func use(at index: Int) -> GlobalUse? {
        guard tokens[index].kind == .name else { return nil }
        if let found = randomUse(at: index) ?? formatUse(at: index) ?? sharedState(at: index) { return found }
        guard let isFoundations = isSaidToBeFoundations(index), let call = callOfMember(behind: index) else {
            return nil
        }
        let type = tokens[index].text
        if let remedy = ProcessGlobal.remedy(type, call) {
            return isSetLater(ProcessGlobal.settings(type, call), ofValueAt: index)
                ? nil : use(at: index, call.text(of: type), remedy)
        }
        let isHidden = ProcessGlobal.isHidden(type, by: source.imports)
        let isSessions = source.imports.contains("UIKit") && !isFoundations && !isHidden
        guard !isSessions, ProcessGlobal.isReplaced(type, call) else { return nil }
        let why =
            isFoundations
            ? "it is named as Foundation's"
            : isHidden ? "this file imports Foundation beside UIKit" : "this file does not import UIKit"
        return use(
            at: index, call.text(of: type),
            "is the process's, for \(why): with `import UIKit`\(isHidden ? " alone" : ""), and without the module's name, it is "
                + "the session's")
    }

    private func use(at index: Int, _ name: String, _ remedy: String) -> GlobalUse {
        GlobalUse(line: tokens[index].line, column: tokens[index].column, name: name, remedy: remedy)
    }

    /// True where the name is said to be Foundation's, false where nothing is said; nil for another's, or a declaration.
    private func isSaidToBeFoundations(_ index: Int) -> Bool? {
        guard index > 0 else { return false }
        let before = tokens[index - 1]
        if before.isMark(".") {
            return index > 1 && ["Foundation", "Dispatch"].contains(tokens[index - 2].text) ? true : nil
        }
        let declaring = [
            "struct", "class", "enum", "actor", "protocol", "typealias", "extension", "func", "case", "import",
        ]
        return before.kind == .name && declaring.contains(before.text) ? nil : false
    }

    /// The member that is asked of a type: `Type.member`, `Type(…)`, or `Type = .member`.
    private func callOfMember(behind index: Int) -> MemberUse? {
        var place = index + 1
        if isMark("(", at: place) { return MemberUse(member: "init", label: argumentLabel(at: place + 1)) }
        if isMark("{", at: place), tokens[index].isName("Task") { return MemberUse(member: "init", label: nil) }
        if isMark("?", at: place) || isMark("!", at: place) { place += 1 }
        if place < tokens.count, isMark("=", at: place), !isMark("=", at: place + 1) { place += 1 }
        guard isMark(".", at: place), place + 1 < tokens.count, tokens[place + 1].kind == .name else { return nil }
        let member = tokens[place + 1].text
        let label = isMark("(", at: place + 2) ? argumentLabel(at: place + 3) : nil
        return MemberUse(member: member, label: label)
    }

    /// The label of a call's first argument; empty for a call without arguments, nil for an argument without a label.
    private func argumentLabel(at place: Int) -> String? {
        if isMark(")", at: place) { return "" }
        guard place < tokens.count, tokens[place].kind == .name, isMark(":", at: place + 1) else { return nil }
        return tokens[place].text
    }

    private func isMark(_ text: String, at place: Int) -> Bool {
        place < tokens.count && tokens[place].isMark(text)
    }

    /// A random number of the system's: `Int.random(in: 1...6)` without `using:`, `list.shuffled()`.
    private func randomUse(at index: Int) -> GlobalUse? {
        let member = tokens[index].text
        guard index > 1, tokens[index - 1].isMark("."), isMark("(", at: index + 1) else { return nil }
        let owner = tokens[index - 2]
        let isRandom =
            ["shuffled", "shuffle", "randomElement"].contains(member) && isMark(")", at: index + 2)
            || member == "random" && owner.text.first?.isUppercase == true && !hasGenerator(from: index + 2)
        guard isRandom else { return nil }
        return use(at: index, owner.kind == .name ? "\(owner.text).\(member)" : member, ProcessGlobal.randomRemedy)
    }

    /// A value in the machine's language and time zone: `date.formatted()` without a locale.
    private func formatUse(at index: Int) -> GlobalUse? {
        guard tokens[index].text == "formatted", index > 1, tokens[index - 1].isMark("."), isMark("(", at: index + 1),
            !app.declaresMethod("formatted")
        else { return nil }
        let arguments = tokens[(index + 2)..<max(index + 2, tokens.end(ofBlockAt: index + 1))]
        guard !arguments.contains(where: { $0.isName("locale") || $0.isName("iso8601") }) else { return nil }
        let owner = tokens[index - 2]
        return use(
            at: index, owner.kind == .name ? "\(owner.text).formatted" : "formatted", ProcessGlobal.formatRemedy)
    }

    /// True where properties of a value are all set behind it, in its block.
    private func isSetLater(_ properties: [String], ofValueAt index: Int) -> Bool {
        guard !properties.isEmpty, let name = nameOfValue(at: index) else { return false }
        var (depth, missing) = (0, Set(properties))
        for place in index..<tokens.count {
            if isMark("{", at: place) { depth += 1 }
            if isMark("}", at: place) { depth -= 1 }
            guard depth >= 0 else { break }
            guard tokens[place].isName(name), isMark(".", at: place + 1), isMark("=", at: place + 3),
                !isMark("=", at: place + 4)
            else { continue }
            missing.remove(tokens[place + 2].text)
        }
        return missing.isEmpty
    }

    /// The name of the variable that a value is given to: `let f = Type()`, `let f: Type = Type()`, `let f: Type = .init()`.
    private func nameOfValue(at index: Int) -> String? {
        guard index > 1 else { return nil }
        let isTyped = tokens[index - 1].isMark("=") && index > 3 && tokens[index - 3].isMark(":")
        guard tokens[index - 1].isMark("=") || tokens[index - 1].isMark(":") else { return nil }
        let name = tokens[isTyped ? index - 4 : index - 2]
        return name.kind == .name ? name.text : nil
    }

    /// State of the app's own that all sessions share: `static var user: User?`, `static let shared = Store()`, and a
    /// file's `var cache = [:]`.
    private func sharedState(at index: Int) -> GlobalUse? {
        let keyword = tokens[index]
        guard keyword.isName("var") || keyword.isName("let"), index + 1 < tokens.count, tokens[index + 1].kind == .name
        else { return nil }
        let modifiers = tokens.modifiers(before: index, in: tokens.indices)
        guard !modifiers.contains("@TaskLocal") else { return nil }
        let (name, isStatic) = (tokens[index + 1], modifiers.contains("static"))
        let isShared =
            keyword.isName("var")
            ? (isStatic || isTopLevel(index)) && isStored(from: index + 2, line: name.line)
            : isStatic && (Self.singletons.contains(name.text) || isStatefulObject(from: index + 2))
        guard isShared else { return nil }
        let start = isStatic ? tokens[..<index].lastIndex { $0.isName("static") } ?? index : index
        return use(
            at: start, "\(isStatic ? "static " : "")\(keyword.text) \(name.text)",
            "is one for all sessions: keep it where a session has its own, such as in the scene's delegate")
    }

    private static let singletons: Set<String> = ["shared", "sharedInstance"]

    /// True for a declaration in no braces.
    private func isTopLevel(_ index: Int) -> Bool {
        tokens[..<index].count { $0.isMark("{") } == tokens[..<index].count { $0.isMark("}") }
    }

    /// True for a new object of a class of the app's: `= Store()`, `= Self()`, `: Store = .init()`.
    private func isStatefulObject(from place: Int) -> Bool {
        guard let assignment = tokens[place...].firstIndex(where: { ["=", "(", "{"].contains($0.text) }),
            isMark("=", at: assignment), assignment + 1 < tokens.count
        else { return false }
        let first = assignment + 1
        if isMark(".", at: first) {
            return isMark(":", at: place) && isMark("(", at: first + 2) && tokens[first + 1].isName("init")
                && app.hasState(tokens[place + 1].text)
        }
        let isCall = isMark("(", at: first + 1) || isMark("<", at: first + 1)
        return isCall && app.hasState(tokens[first].isName("Self") ? typeAround(place) : tokens[first].text)
    }

    /// The type in whose braces a place is; empty for none.
    private func typeAround(_ place: Int) -> String {
        ClassOutline.all(in: source).last { $0.body.contains(place) }?.name ?? ""
    }

    /// True for a variable that has a value, or ends in its line; one with a body right behind its type is computed.
    private func isStored(from place: Int, line: Int) -> Bool {
        let rest = tokens[place...].prefix { $0.line == line }
        return rest.first { $0.isMark("=") || $0.isMark("{") }?.isMark("=") ?? true
    }

    private func hasGenerator(from place: Int) -> Bool {
        var depth = 1
        for token in tokens[place...] {
            if token.isMark("(") { depth += 1 }
            if token.isMark(")") { depth -= 1 }
            if depth == 0 { return false }
            if depth == 1, token.isName("using") { return true }
        }
        return false
    }
}

/// A member that is asked of a type.
struct MemberUse {
    /// Its name; `init` for a call of the type.
    let member: String
    /// The label of the first argument; empty for a call without arguments, nil for one without a label, or no call.
    let label: String?

    /// As it is written, such as `Date()`.
    func text(of type: String) -> String {
        guard member == "init" else { return "\(type).\(member)" }
        return label.map { $0.isEmpty ? "\(type)()" : "\(type)(\($0):)" } ?? type
    }
}

/// The globals of a process that apps use.
private enum ProcessGlobal {
    /// Those that the module UIKit has for each session.
    private static let replaced: [String: Set<String>] = [
        "UserDefaults": ["standard", "init"], "NotificationCenter": ["default"],
        "Locale": ["current", "autoupdatingCurrent"], "TimeZone": ["current", "autoupdatingCurrent"],
        "DispatchQueue": ["main", "global"], "DispatchTime": ["now"], "RunLoop": ["main", "current"],
        "Timer": ["scheduledTimer", "init"], "Task": ["init", "detached"],
    ]

    /// Those whose process's own the compiler takes where a file imports its module beside UIKit, which re-exports it.
    private static let hidden: [String: Set<String>] = [
        "DispatchQueue": ["Foundation", "Dispatch"], "DispatchTime": ["Foundation", "Dispatch"],
        "RunLoop": ["Foundation"], "Timer": ["Foundation"],
    ]

    static func isReplaced(_ type: String, _ use: MemberUse) -> Bool { replaced[type]?.contains(use.member) == true }

    /// True where a file that imports these modules gets the process's, though it imports UIKit.
    static func isHidden(_ type: String, by imports: Set<String>) -> Bool {
        imports.contains("UIKit") && hidden[type]?.isDisjoint(with: imports) == false
    }

    static let randomRemedy = "draws from the system, and replay draws otherwise: pass `using:` the session's `random`"

    static let formatRemedy =
        "has the machine's language and time zone: set `locale` and `timeZone` to the session's, `Locale.current`, `TimeZone.current`"

    /// The properties of a new value that make it the session's.
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
        "is the process's clock, and replay reads it otherwise: take the input's time, `UIKitSession.current?.now`"

    /// The reason against those that no module can replace; nil for others.
    static func remedy(_ type: String, _ use: MemberUse) -> String? {
        switch (type, use.member) {
        case ("Date", "init") where use.label == "" || use.label == "timeIntervalSinceNow", ("Date", "now"),
            ("ContinuousClock", "now"), ("ContinuousClock", "init"), ("SuspendingClock", "now"),
            ("SuspendingClock", "init"), ("CFAbsoluteTimeGetCurrent", "init"), ("CACurrentMediaTime", "init"):
            clockRemedy
        case ("UUID", "init") where use.label == "":
            "is new at each replay: make it of the session's random numbers, `UIKitSession.current?.root?.random`"
        case ("SystemRandomNumberGenerator", "init"), ("arc4random", "init"), ("arc4random_uniform", "init"):
            randomRemedy
        case ("DateFormatter", "init") where use.label == "", ("NumberFormatter", "init") where use.label == "",
            ("DateFormatter", "localizedString"), ("NumberFormatter", "localizedString"):
            formatRemedy
        case ("Calendar", "init") where use.label == "identifier":
            "has the machine's time zone: set its `timeZone` to the session's, `TimeZone.current`"
        case ("Calendar", "current"), ("Calendar", "autoupdatingCurrent"):
            "is the machine's: set a calendar's `locale` and `timeZone` to the session's, `Locale.current`, `TimeZone.current`"
        case ("HTTPCookieStorage", "shared"), ("URLCredentialStorage", "shared"), ("URLCache", "shared"):
            "is every user's: give each session's client a storage of its own"
        case ("URLSession", "shared"):
            "has the cookies of all users, and no input may wait for it: ask in an effect, by a `URLSession` without storages"
        default: nil
        }
    }
}
