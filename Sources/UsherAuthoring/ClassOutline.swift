/// A class as its source declares it: its supertypes, properties and methods.
struct ClassOutline {
    struct MemberFunction {
        let name: String
        let parameters: [Parameter]
        /// The words before `func`, such as `private`, `override` and `@objc`.
        let modifiers: Set<String>
        /// The words after the parameters: `async`, `throws`.
        let effects: Set<String>
        let body: Range<Int>

        /// The type of the result; nil if the method returns nothing.
        let result: String?

        /// `try` and a space, for a call of a throwing method; otherwise empty.
        var trying: String { effects.contains("throws") ? "try " : "" }
    }

    struct Parameter: Equatable {
        /// The label in calls; nil if there is none.
        let label: String?
        let name: String
        let type: String
        /// The default value; empty if there is none.
        var value: ArraySlice<SwiftToken> = []
    }

    struct Initializer {
        let parameters: [Parameter]
        let modifiers: Set<String>
        let isFailable: Bool
        let effects: Set<String>
        let body: Range<Int>
    }

    struct Supertype {
        let name: String
        let arguments: [String]
    }

    struct GenericParameter {
        let name: String
        /// The constraint after the colon; nil if there is none.
        let constraint: String?
    }

    struct Property {
        let name: String
        /// The type that is written, or that of a literal such as `0`; empty for other values.
        let type: String
        let modifiers: Set<String>
        /// Whether the value is available at once: the getter is neither `async` nor `throws`.
        let isPlain: Bool
        /// `let` or `var`.
        let keyword: String
        let isStored: Bool
        /// The first line of the value; empty if there is none.
        let value: ArraySlice<SwiftToken>
    }

    let name: String
    let supertypes: [String]
    /// The supertypes with their generic arguments, in the order of the declaration.
    let inheritance: [Supertype]
    let genericParameters: [GenericParameter]
    /// A Boolean value that indicates whether the declaration has a clause `where`.
    let isConstrained: Bool
    let line: Int
    /// The keyword of the declaration, such as `class`.
    let kind: String
    private(set) var methods: [MemberFunction] = []
    private(set) var properties: [Property] = []
    private(set) var initializers: [Initializer] = []
    /// The words before the keyword of the declaration.
    let modifiers: Set<String>
    /// The tokens between the declaration's braces.
    let body: Range<Int>
    let tokens: [SwiftToken]

    /// Returns all classes, structs, actors, protocols and extensions of a file, including nested declarations.
    static func all(in source: SwiftSource) -> [ClassOutline] {
        source.tokens.indices.compactMap { ClassOutline(source.tokens, at: $0) }
    }

    private init?(_ tokens: [SwiftToken], at start: Int) {
        let kinds = ["class", "struct", "actor", "protocol", "extension"]
        guard kinds.contains(where: tokens[start].isName), start + 1 < tokens.count else { return nil }
        let name = tokens[start + 1]
        // `class func` and `class var` declare no class, and neither does a constraint.
        guard name.kind == .name, !["func", "var", "let", "subscript", "init"].contains(name.text),
            start == 0 || !tokens[start - 1].isMark(":"),
            let open = tokens[start...].firstIndex(where: { $0.isMark("{") })
        else { return nil }
        self.name = name.text
        line = name.line
        kind = tokens[start].text
        self.tokens = tokens
        let head = tokens[(start + 2)..<open]
        supertypes = Self.supertypes(in: head)
        inheritance = Self.inheritance(in: head)
        genericParameters = Self.genericParameters(in: head)
        isConstrained = head.contains { $0.isName("where") }
        modifiers = tokens.modifiers(before: start, in: tokens.indices)
        body = open + 1..<tokens.end(ofBlockAt: open)
        readMembers()
    }

    var isDeclaration: Bool { kind != "extension" }

    private static func supertypes(in head: ArraySlice<SwiftToken>) -> [String] {
        // The generic parameters may have constraints with colons, too.
        let parts = head.prefix { !$0.isName("where") }.split(atMark: ":")
        guard parts.count > 1, let list = parts.last else { return [] }
        return list.filter { $0.kind == .name }.map(\.text)
    }

    private static func inheritance(in head: ArraySlice<SwiftToken>) -> [Supertype] {
        let parts = head.prefix { !$0.isName("where") }.split(atMark: ":")
        guard parts.count > 1, let list = parts.last else { return [] }
        return list.split(atMark: ",").compactMap { part in
            let open = part.firstIndex { $0.isMark("<") } ?? part.endIndex
            guard let name = part[..<open].last(where: { $0.kind == .name }) else { return nil }
            let arguments = part[open...].dropFirst().dropLast().split(atMark: ",").map(\.source)
            return Supertype(name: name.text, arguments: arguments)
        }
    }

    private static func genericParameters(in head: ArraySlice<SwiftToken>) -> [GenericParameter] {
        guard head.first?.isMark("<") == true, let list = head.split(atMark: ":").first,
            let close = list.lastIndex(where: { $0.isMark(">") })
        else { return [] }
        return list[(list.startIndex + 1)..<close].split(atMark: ",").compactMap { parameter in
            guard let name = parameter.first, name.kind == .name else { return nil }
            let constraint = parameter.split(atMark: ":").dropFirst().first
            return GenericParameter(name: name.text, constraint: constraint?.source)
        }
    }

    private mutating func readMembers() {
        var index = body.lowerBound
        while index < body.upperBound {
            let token = tokens[index]
            if token.isName("func") {
                index = readMethod(at: index)
            } else if token.isName("init"), kind != "protocol", !tokens[index - 1].isMark(".") {
                index = readInitializer(at: index)
            } else if token.isName("var") || token.isName("let") {
                readProperty(at: index)
                index += 1
            } else if token.isMark("{") {
                // A nested type, an accessor or an initializer: skip the members inside.
                index = tokens.end(ofBlockAt: index) + 1
            } else {
                index += 1
            }
        }
    }

    private mutating func readMethod(at index: Int) -> Int {
        guard index + 1 < body.upperBound, tokens[index + 1].kind == .name,
            let open = tokens[index..<body.upperBound].firstIndex(where: { $0.isMark("(") })
        else { return index + 1 }
        let close = tokens.end(ofBlockAt: open)
        // A protocol's method has no body: the next `{` belongs to another declaration.
        let next = tokens[min(close + 1, body.upperBound)..<body.upperBound].firstIndex { token in
            token.isMark("{") || ["func", "var", "let", "init", "subscript"].contains(where: token.isName)
        }
        let hasBody = next.map { tokens[$0].isMark("{") } ?? false
        let end = min(close + 1, body.upperBound)
        let range = hasBody ? (next ?? close) + 1..<tokens.end(ofBlockAt: next ?? close) : close..<close
        let effects = tokens[end..<(next ?? body.upperBound)].prefix { $0.kind == .name }
        methods.append(
            MemberFunction(
                name: tokens[index + 1].text, parameters: Self.parameters(in: tokens[(open + 1)..<close]),
                modifiers: tokens.modifiers(before: index, in: body), effects: Set(effects.map(\.text)), body: range,
                result: result(from: effects.endIndex)))
        return max(range.upperBound, close) + 1
    }

    private func result(from place: Int) -> String? {
        guard place + 2 < body.upperBound, tokens[place].isMark("-"), tokens[place + 1].isMark(">") else { return nil }
        let line = tokens[place].line
        let type = tokens[(place + 2)..<body.upperBound].prefix { !$0.isMark("{") && $0.line == line }.source
        return ["Void", "()"].contains(type) ? nil : type
    }

    /// Reads an initializer without generic parameters, and returns the index after it.
    private mutating func readInitializer(at index: Int) -> Int {
        var open = index + 1
        let isFailable = open < body.upperBound && (tokens[open].isMark("?") || tokens[open].isMark("!"))
        if isFailable { open += 1 }
        guard open < body.upperBound, tokens[open].isMark("(") else { return index + 1 }
        let close = tokens.end(ofBlockAt: open)
        guard close < body.upperBound,
            let start = tokens[close..<body.upperBound].firstIndex(where: { $0.isMark("{") })
        else { return index + 1 }
        let end = min(tokens.end(ofBlockAt: start), body.upperBound)
        initializers.append(
            Initializer(
                parameters: Self.parameters(in: tokens[(open + 1)..<close]),
                modifiers: tokens.modifiers(before: index, in: body), isFailable: isFailable,
                effects: Set(tokens[(close + 1)..<start].filter { $0.kind == .name }.map(\.text)),
                body: min(start + 1, end)..<end))
        return end + 1
    }

    private static func parameters(in list: ArraySlice<SwiftToken>) -> [Parameter] {
        list.split(atMark: ",").compactMap { part in
            guard let colon = part.firstIndex(where: { $0.isMark(":") }) else { return nil }
            let names = part[..<colon].filter { $0.kind == .name }.map(\.text)
            guard let label = names.first, let name = names.last else { return nil }
            let type = part[(colon + 1)...].prefix { !$0.isMark("=") }
            return Parameter(
                label: label == "_" ? nil : label, name: name, type: type.source,
                value: part[type.endIndex...].dropFirst())
        }
    }

    /// Whether the class has a stored variable, or state behind a lock.
    var hasGuardedState: Bool {
        var index = body.lowerBound
        while index < body.upperBound {
            let token = tokens[index]
            if Self.locks.contains(where: token.isName) { return true }
            if token.isName("var"), !tokens.modifiers(before: index, in: body).contains("static"),
                tokens.isStoredVariable(at: index)
            {
                return true
            }
            // Skip the variables of methods and accessors.
            index = token.isMark("{") ? tokens.end(ofBlockAt: index) + 1 : index + 1
        }
        return false
    }

    private static let locks: Set<String> = ["Mutex", "Atomic", "OSAllocatedUnfairLock", "ManagedAtomic"]

    private mutating func readProperty(at index: Int) {
        guard index + 2 < body.upperBound, tokens[index + 1].kind == .name else { return }
        let line = tokens[index + 2].line
        let isTyped = tokens[index + 2].isMark(":")
        let type = tokens[(isTyped ? index + 3 : index + 2)..<body.upperBound].prefix { token in
            isTyped && !["=", "{", ";"].contains(where: token.isMark) && token.line == line
        }
        let isAssigned = type.endIndex < body.upperBound && tokens[type.endIndex].isMark("=")
        guard isTyped || isAssigned else { return }
        let value: ArraySlice<SwiftToken> =
            isAssigned
            ? tokens[(type.endIndex + 1)..<body.upperBound].prefix { $0.line == line && !$0.isMark(";") } : []
        let observer = value.indices.first { index in
            value[index].isMark("{") && tokens[index...].dropFirst().first.map(Self.isObserver) == true
        }
        let plainValue = value[..<(observer ?? value.endIndex)]
        let isContinued =
            value.endIndex < body.upperBound && Self.operators.contains(where: tokens[value.endIndex].isMark)
        properties.append(
            Property(
                name: tokens[index + 1].text,
                type: isTyped ? type.source : isContinued ? "" : Self.type(ofLiteral: plainValue) ?? "",
                modifiers: tokens.modifiers(before: index, in: body), isPlain: !hasEffect(getterAt: type.endIndex),
                keyword: tokens[index].text,
                isStored: kind != "protocol" && (tokens[index].isName("let") || tokens.isStoredVariable(at: index)),
                value: plainValue))
    }

    /// The marks with which the next line continues an expression.
    private static let operators = [".", "+", "-", "*", "/", "?", "<", ">", "=", "|", "&"]

    private static func type(ofLiteral value: ArraySlice<SwiftToken>) -> String? {
        let unsigned = value.first?.isMark("-") == true ? value.dropFirst() : value
        guard let token = unsigned.first, unsigned.count == 1 else { return nil }
        switch token.kind {
        case .number:
            let marks: [Character] = token.text.hasPrefix("0x") ? [".", "p", "P"] : [".", "e", "E"]
            return token.text.contains { marks.contains($0) } ? "Double" : "Int"
        case .literal: return value.count == 1 && token.text.isEmpty ? "String" : nil
        case .name: return value.count == 1 && ["true", "false"].contains(token.text) ? "Bool" : nil
        case .mark: return nil
        }
    }

    private static func isObserver(_ token: SwiftToken) -> Bool { token.isName("didSet") || token.isName("willSet") }

    /// Returns whether there is a getter such as `{ get async throws … }`.
    private func hasEffect(getterAt open: Int) -> Bool {
        guard open < body.upperBound, tokens[open].isMark("{") else { return false }
        let getter = tokens[(open + 1)..<tokens.end(ofBlockAt: open)].prefix { !$0.isMark("{") }
        return getter.first?.isName("get") == true && getter.contains { $0.isName("async") || $0.isName("throws") }
    }
}

/// A type whose values can be shown or sent without the author's code.
struct SimpleType {
    let example: String

    init?(_ type: String) {
        if type.hasSuffix("?") {
            guard SimpleType(String(type.dropLast())) != nil else { return nil }
            example = "nil"
        } else if type.hasPrefix("["), type.hasSuffix("]") {
            guard let element = SimpleType(String(type.dropFirst().dropLast())) else { return nil }
            example = "[\(element.example)]"
        } else {
            let examples = ["String": #""text""#, "Int": "1", "Double": "1.5", "Bool": "true"]
            guard let example = examples[type] else { return nil }
            self.example = example
        }
    }
}

private let modifierWords: Set<String> = [
    "public", "open", "internal", "private", "fileprivate", "package", "final", "override", "static", "class",
    "weak", "unowned", "lazy", "nonisolated", "dynamic", "mutating", "required", "convenience",
]

extension [SwiftToken] {
    /// Returns the modifiers and attributes before a declaration's keyword, such as `private(set)` and `@objc`.
    func modifiers(before index: Int, in body: Range<Int>) -> Set<String> {
        var found: Set<String> = []
        var place = index - 1
        while place >= body.lowerBound {
            var argument = ""
            if self[place].isMark(")") {
                guard let open = self[..<place].lastIndex(where: { $0.isMark("(") }), open > body.lowerBound else {
                    break
                }
                argument = self[open...place].text
                place = open - 1
            }
            guard self[place].kind == .name, self[place].line >= self[index].line - 1 else { break }
            if place > 0, self[place - 1].isMark("@") {
                found.insert("@" + self[place].text)
                place -= 2
            } else {
                guard modifierWords.contains(self[place].text) else { break }
                // Keep the argument: a `private(set)` property is readable.
                found.insert(self[place].text + argument)
                place -= 1
            }
        }
        return found
    }

    /// Returns whether a variable is stored: it has an initial value, or its declaration ends with its line.
    ///
    /// If a body follows the type, the variable is computed, unless the body has only `willSet` or `didSet`.
    func isStoredVariable(at index: Int) -> Bool {
        guard index + 1 < count else { return false }
        let line = self[index + 1].line
        guard
            let mark = self[(index + 2)...].firstIndex(where: { $0.line != line || $0.isMark("=") || $0.isMark("{") }),
            self[mark].line == line, self[mark].isMark("{")
        else { return true }
        return mark + 1 < count && (self[mark + 1].isName("didSet") || self[mark + 1].isName("willSet"))
    }

    /// Returns the index of the bracket that closes the bracket at `open`; the end of the tokens if there is none.
    func end(ofBlockAt open: Int) -> Int {
        var depth = 0
        for index in open..<count where self[index].kind == .mark {
            if ["(", "[", "{"].contains(self[index].text) { depth += 1 }
            if [")", "]", "}"].contains(self[index].text) { depth -= 1 }
            if depth == 0 { return index }
        }
        return count
    }
}

extension [SwiftToken] {
    /// Returns whether a brace opens the body of a statement such as `if`, and no trailing closure.
    func opensBody(ofStatementAt open: Int) -> Bool {
        var depth = 0
        for place in (0..<open).reversed() {
            let token = self[place]
            if token.isMark(")") || token.isMark("]") { depth += 1 }
            if token.isMark("(") || token.isMark("[") { depth -= 1 }
            if depth < 0 || depth == 0 && ["{", "}", ";"].contains(where: token.isMark) { return false }
            if depth == 0, ["for", "if", "switch", "while"].contains(where: token.isName) {
                // `#if` is no statement.
                return place == 0 || !self[place - 1].isMark("#")
            }
        }
        return false
    }

    /// Returns the labels of a call's arguments, nil for an argument without a label; trailing closures are left out.
    func labels(ofCallAt open: Int) -> [String?] {
        let close = end(ofBlockAt: open)
        guard open + 1 < close else { return [] }
        return self[(open + 1)..<close].split(atMark: ",").map { argument in
            let (label, colon) = (argument.first, argument.dropFirst().first)
            return label?.kind == .name && colon?.isMark(":") == true ? label?.text : nil
        }
    }
}

extension ArraySlice<SwiftToken> {
    /// The tokens as one text, with spaces between names.
    var text: String {
        var text = ""
        var last: SwiftToken?
        for token in self {
            if last?.kind == .name, token.kind == .name { text += " " }
            text += token.text
            last = token
        }
        return text
    }

    /// The tokens as Swift source on one line, with the usual spaces.
    var source: String {
        var text = ""
        for index in indices {
            if index > startIndex, isSpaced(index) { text += " " }
            text += self[index].text
        }
        return text
    }

    private func isSpaced(_ index: Int) -> Bool {
        let (token, before) = (self[index], self[index - 1])
        if token.isMark("]") { return false }
        if [":", ",", "&"].contains(where: before.isMark) || token.isMark("&") || isArrowHead(index - 1) {
            return true
        }
        if token.isMark("-"), index + 1 < endIndex, self[index + 1].isMark(">") { return true }
        // `any Store`, `@escaping () -> Void`, `() throws -> Void`
        let isAttribute = before.kind == .name && index > startIndex + 1 && self[index - 2].isMark("@")
        return isAttribute || (before.kind == .name || before.isMark(")")) && token.kind == .name
    }

    /// Returns whether a mark is the end of an arrow, and no bracket.
    private func isArrowHead(_ index: Int) -> Bool {
        index > startIndex && indices.contains(index) && self[index].isMark(">") && self[index - 1].isMark("-")
    }

    /// Returns the parts between marks that are outside of brackets.
    func split(atMark mark: String) -> [ArraySlice<SwiftToken>] {
        var parts: [ArraySlice<SwiftToken>] = []
        var (start, depth) = (startIndex, 0)
        for index in indices where self[index].kind == .mark && !isArrowHead(index) {
            if ["(", "[", "{", "<"].contains(self[index].text) { depth += 1 }
            if [")", "]", "}", ">"].contains(self[index].text) { depth -= 1 }
            guard depth == 0, self[index].text == mark else { continue }
            parts.append(self[start..<index])
            start = index + 1
        }
        return start < endIndex ? parts + [self[start...]] : parts
    }
}
