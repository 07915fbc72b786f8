/// A use of a global of the process, which all users share, in place of the session's own.
package struct GlobalUse: Equatable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int
    /// The expression, such as `UserDefaults.standard`.
    package let name: String
    /// The reason, and what to write instead.
    package let remedy: String

    /// The use as the end of a line, such as `7:21: Date() is …`.
    package var description: String { "\(line):\(column): \(name) \(remedy)" }
}

/// The search for uses of globals in a file of an app that runs in sessions, by its tokens only.
///
/// A global is found only after its type's name: in `UserDefaults.standard`, but not in `Store(defaults: .standard)`.
package struct GlobalUseSearch {
    private let source: SwiftSource
    private let tokens: [SwiftToken]
    private let app: AppDeclarations

    /// Creates a search in a file; if `app` is nil, the search knows only the declarations of this file.
    package init(_ source: SwiftSource, of app: AppDeclarations? = nil) {
        self.source = source
        self.app = app ?? AppDeclarations(in: [source])
        tokens = source.tokens
    }

    /// Returns all uses in the order of the file, except in lines that a comment `usher:allow` allows.
    package func uses() -> [GlobalUse] {
        tokens.indices.compactMap(use(at:)).filter { use in
            !source.allowedLines.contains(use.line)
        }
    }

    private func use(at index: Int) -> GlobalUse? {
        guard tokens[index].kind == .name else { return nil }
        if let found = randomUse(at: index) ?? formatUse(at: index) ?? sharedState(at: index)
            ?? librarySingleton(at: index)
        {
            return found
        }
        guard let isFoundations = isSaidToBeFoundations(index), let call = callOfMember(behind: index) else {
            return nil
        }
        let type = tokens[index].text
        if let remedy = ProcessGlobal.remedy(type, call) {
            return isSetLater(ProcessGlobal.settings(type, call), ofValueAt: index)
                ? nil : use(at: index, call.text(of: type), remedy)
        }
        let isHidden = ProcessGlobal.isHidden(type, by: source.imports)
        let isVisible = ProcessGlobal.importsUIKit(source.imports) && !isHidden
        let isSessions = !isFoundations && (isVisible || app.isSessions(type))
        guard !isSessions, ProcessGlobal.isReplaced(type, call) else { return nil }
        let why =
            isFoundations
            ? "the code names the module before \(type)"
            : isHidden ? "this file imports Foundation besides UIKit" : "this file does not import UIKit"
        return use(
            at: index, call.text(of: type),
            "is shared by the whole process, because \(why): import \(isHidden ? "only " : "")UIKit, and write "
                + "the type without a module's name" + ProcessGlobal.aliasRemedy(type))
    }

    private func use(at index: Int, _ name: String, _ remedy: String) -> GlobalUse {
        GlobalUse(line: tokens[index].line, column: tokens[index].column, name: name, remedy: remedy)
    }

    /// Returns whether the name is qualified as Foundation's; nil for another module's name or a declaration.
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

    /// Returns the member that is accessed on a type: `Type.member`, `Type(…)`, or `Type = .member`.
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

    /// Returns the label of a call's first argument; empty if there are no arguments, nil if there is no label.
    private func argumentLabel(at place: Int) -> String? {
        if isMark(")", at: place) { return "" }
        guard place < tokens.count, tokens[place].kind == .name, isMark(":", at: place + 1) else { return nil }
        return tokens[place].text
    }

    private func isMark(_ text: String, at place: Int) -> Bool {
        tokens.indices.contains(place) && tokens[place].isMark(text)
    }

    /// Finds a random number of the system: `Int.random(in: 1...6)` without `using:`, `list.shuffled()`.
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

    /// Finds a value in the machine's language and time zone: `date.formatted()` without a locale.
    private func formatUse(at index: Int) -> GlobalUse? {
        guard tokens[index].text == "formatted", index > 1, tokens[index - 1].isMark("."), isMark("(", at: index + 1),
            !app.declaresMethod("formatted")
        else { return nil }
        let arguments = tokens[(index + 2)..<max(index + 2, tokens.end(ofBlockAt: index + 1))]
        guard !arguments.contains(where: { $0.isName("locale") || $0.isName("iso8601") }), !isStyleOfOwn(arguments)
        else { return nil }
        let owner = tokens[index - 2]
        return use(
            at: index, owner.kind == .name ? "\(owner.text).formatted" : "formatted", ProcessGlobal.formatRemedy)
    }

    /// Returns whether the argument is a style that is declared elsewhere, which may have a locale: `formatted(style)`.
    private func isStyleOfOwn(_ arguments: ArraySlice<SwiftToken>) -> Bool {
        guard let first = arguments.first, first.kind == .name, arguments.dropFirst().first?.isMark(":") != true else {
            return false
        }
        return !arguments.contains { $0.isMark("(") }
    }

    /// Returns whether all of some properties of a value are set after its creation.
    ///
    /// The properties may be set in the value's block; for a property, in any method of the file; or in a method to
    /// which the value is passed.
    private func isSetLater(_ properties: [String], ofValueAt index: Int) -> Bool {
        guard !properties.isEmpty, let name = nameOfValue(at: index) else { return false }
        var missing = Set(properties)
        let reach = isProperty(index) ? tokens.indices : index..<endOfBlock(around: index)
        missing.subtract(settings(of: name, in: reach))
        for place in reach where tokens[place].isName(name) && isMark("(", at: place - 1 - labelLength(before: place)) {
            let function = tokens[max(0, place - 2 - labelLength(before: place))].text
            for method in methods where method.name == function {
                for parameter in method.parameters { missing.subtract(settings(of: parameter.name, in: method.body)) }
            }
        }
        return missing.isEmpty
    }

    private func settings(of name: String, in range: Range<Int>) -> Set<String> {
        var found: Set<String> = []
        for place in range where tokens[place].isName(name) && isMark(".", at: place + 1) {
            if isMark("=", at: place + 3), !isMark("=", at: place + 4) { found.insert(tokens[place + 2].text) }
        }
        return found
    }

    private func labelLength(before place: Int) -> Int { isMark(":", at: place - 1) ? 2 : 0 }

    private var methods: [ClassOutline.MemberFunction] { ClassOutline.all(in: source).flatMap(\.methods) }

    /// Returns whether an index is directly inside the braces of a type.
    private func isProperty(_ index: Int) -> Bool {
        let start = openBrace(around: index)
        return start.map { open in ClassOutline.all(in: source).contains { $0.body.lowerBound == open + 1 } } ?? false
    }

    private func openBrace(around index: Int) -> Int? {
        var depth = 0
        for place in (0..<index).reversed() {
            if isMark("}", at: place) { depth += 1 }
            if isMark("{", at: place) {
                if depth == 0 { return place }
                depth -= 1
            }
        }
        return nil
    }

    private func endOfBlock(around index: Int) -> Int {
        openBrace(around: index).map { tokens.end(ofBlockAt: $0) } ?? tokens.count
    }

    /// Returns the variable's name in `let f = Type()`, `let f: Type = Type()`, `let f: Type = .init()`.
    private func nameOfValue(at index: Int) -> String? {
        guard index > 1 else { return nil }
        let isTyped = tokens[index - 1].isMark("=") && index > 3 && tokens[index - 3].isMark(":")
        guard tokens[index - 1].isMark("=") || tokens[index - 1].isMark(":") else { return nil }
        let name = tokens[isTyped ? index - 4 : index - 2]
        return name.kind == .name ? name.text : nil
    }

    /// Finds state that all sessions share, such as `static let shared = Store()` or a file's `var cache = [:]`.
    private func sharedState(at index: Int) -> GlobalUse? {
        let keyword = tokens[index]
        guard keyword.isName("var") || keyword.isName("let"), index + 1 < tokens.count, tokens[index + 1].kind == .name
        else { return nil }
        let modifiers = tokens.modifiers(before: index, in: tokens.indices)
        guard !modifiers.contains("@TaskLocal") else { return nil }
        let (name, isStatic) = (tokens[index + 1], modifiers.contains("static"))
        let isShared =
            keyword.isName("var")
            ? (isStatic || isTopLevel(index)) && tokens.isStoredVariable(at: index)
            : isStatic && Self.singletons.contains(name.text)
                || (isStatic || isTopLevel(index))
                    && (isStatefulObject(from: index + 2) && !isValue(from: index + 2) || asksSession(from: index + 2))
        guard isShared else { return nil }
        let start = isStatic ? tokens[..<index].lastIndex { $0.isName("static") } ?? index : index
        return use(
            at: start, "\(isStatic ? "static " : "")\(keyword.text) \(name.text)",
            "is shared by all sessions: store it in an object of the session, such as the scene's delegate")
    }

    private static let singletons: Set<String> = ["shared", "sharedInstance"]

    /// Returns the use of another module's singleton, such as `Container.shared` or `Cache.default.clear()`.
    ///
    /// Value types can have a `default` too, so `default` counts only if the code accesses a member of the singleton.
    private func librarySingleton(at index: Int) -> GlobalUse? {
        let type = tokens[index].text
        guard type.first?.isUppercase == true, isMark(".", at: index + 1), index + 2 < tokens.count,
            importsLibrary, !app.declares(type), !ProcessGlobal.isOfSystem(type)
        else { return nil }
        let member = tokens[index + 2]
        guard
            member.kind == .name && Self.singletons.contains(member.text)
                || member.isName("default") && isMark(".", at: index + 3)
        else { return nil }
        // After a dot, the name is that of a nested type, unless the name before the dot is a module.
        if isMark(".", at: index - 1) {
            guard index > 1, source.imports.contains(tokens[index - 2].text) else { return nil }
        }
        guard ProcessGlobal.remedy(type, MemberUse(member: member.text, label: nil)) == nil else { return nil }
        return use(at: index, "\(type).\(member.text)", ProcessGlobal.singletonRemedy(type))
    }

    private var importsLibrary: Bool { !source.imports.isSubset(of: Self.knownModules) }

    /// The modules whose globals `ProcessGlobal` lists individually.
    private static let knownModules: Set<String> = [
        "AuthenticationServices", "Combine", "Dispatch", "Foundation", "LocalAuthentication", "MessageUI", "OSLog",
        "PhotosUI", "SafariServices", "StoreKit", "Swift", "SwiftUI", "Testing", "UIKit", "UniformTypeIdentifiers",
        "UserNotifications", "Usher", "UsherServer", "UsherTesting", "XCTest", "os",
    ]

    private func isTopLevel(_ index: Int) -> Bool {
        tokens[..<index].count { $0.isMark("{") } == tokens[..<index].count { $0.isMark("}") }
    }

    /// Returns whether a new object of the app's class is assigned: `= Store()`, `= Self()`, `: Store = .init()`.
    private func isStatefulObject(from place: Int) -> Bool {
        guard let assignment = tokens[place...].firstIndex(where: { ["=", "(", "{"].contains($0.text) }),
            isMark("=", at: assignment), assignment + 1 < tokens.count
        else { return false }
        let first = assignment + 1
        if isMark("{", at: first) { return isCalled(first) && makesStatefulObject(in: first) }
        if isMark("[", at: first) || isMark("(", at: first) { return makesStatefulObject(in: first) }
        if isMark(".", at: first) {
            return isMark(":", at: place) && isMark("(", at: first + 2) && tokens[first + 1].isName("init")
                && app.hasState(tokens[place + 1].text)
        }
        return isNewStatefulObject(first)
    }

    /// Returns whether a constant is declared with a type that contains no object: `: [Answer] = …`.
    private func isValue(from place: Int) -> Bool {
        guard isMark(":", at: place) else { return false }
        return app.isValue(tokens[(place + 1)...].prefix { !$0.isMark("=") }.source)
    }

    /// Returns whether there is a call such as `Store()`, `Store<Item>()`, `Store.init()`.
    private func isNewStatefulObject(_ place: Int) -> Bool {
        let isCall =
            isMark("(", at: place + 1) || isMark("<", at: place + 1)
            || isMark(".", at: place + 1) && isMark("(", at: place + 3) && tokens[place + 2].isName("init")
        return isCall && !isMark(".", at: place - 1)
            && app.hasState(tokens[place].isName("Self") ? typeAround(place) : tokens[place].text)
    }

    private func makesStatefulObject(in open: Int) -> Bool {
        (open..<tokens.end(ofBlockAt: open)).contains(where: isNewStatefulObject)
    }

    /// Returns whether a closure is called immediately.
    private func isCalled(_ open: Int) -> Bool { isMark("(", at: tokens.end(ofBlockAt: open) + 1) }

    /// Returns whether a value that is created only once uses the session that is current at its creation.
    private func asksSession(from place: Int) -> Bool {
        guard ProcessGlobal.importsUIKit(source.imports) else { return false }
        let line = tokens[place - 1].line
        guard let assignment = tokens[place...].firstIndex(where: { $0.line != line || ["=", "{"].contains($0.text) }),
            isMark("=", at: assignment)
        else { return false }
        var last = assignment + 1
        while last < tokens.count, tokens[last].line == line {
            if isMark("{", at: last), !isCalled(last) { return false }
            last = ["(", "[", "{"].contains(tokens[last].text) ? tokens.end(ofBlockAt: last) + 1 : last + 1
        }
        return (assignment..<min(last, tokens.count)).contains { index in
            guard isMark(".", at: index - 1) else { return false }
            let owner = tokens[index - 2]
            // Another rule finds qualified names.
            guard !isMark(".", at: index - 3) else { return false }
            switch tokens[index].text {
            case "current", "autoupdatingCurrent":
                return owner.kind == .mark || ["Locale", "TimeZone", "UIDevice", "UIKitSession"].contains(owner.text)
            case "standard": return owner.isName("UserDefaults")
            case "default": return owner.isName("NotificationCenter")
            default: return false
            }
        }
    }

    /// Returns the name of the type whose braces contain an index; empty if no type's braces contain the index.
    private func typeAround(_ place: Int) -> String {
        ClassOutline.all(in: source).last { $0.body.contains(place) }?.name ?? ""
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
