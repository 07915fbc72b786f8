import UsherBytes

/// The types that a replacement may use: the app's, the modules' and Swift's.
struct StubTypes {
    private let sources: [String: SwiftSource]
    private let files: [(path: String, outline: ClassOutline)]
    /// The files that declare a name.
    private let declared: [String: Set<String>]

    init(in files: [String: SwiftSource]) {
        var outlines: [(path: String, outline: ClassOutline)] = []
        var declared: [String: Set<String>] = [:]
        for (path, source) in files.sorted(by: { $0.key < $1.key }) {
            outlines += ClassOutline.all(in: source).map { (path, $0) }
            for (keyword, name) in zip(source.tokens, source.tokens.dropFirst()) where name.kind == .name {
                if Self.keywords.contains(where: keyword.isName) { declared[name.text, default: []].insert(path) }
            }
        }
        sources = files
        self.files = outlines
        self.declared = declared
    }

    private static let keywords = ["actor", "class", "enum", "protocol", "struct", "typealias"]

    func declaration(of name: String) -> ClassOutline? {
        files.first { $0.outline.isDeclaration && $0.outline.name == name }?.outline
    }

    func outlines(named name: String) -> [(path: String, outline: ClassOutline)] {
        files.filter { $0.outline.name == name }
    }

    /// Returns the structure or class that a type declares inside itself.
    func nested(_ name: String, in type: String) -> ClassOutline? {
        for (path, outer) in files where outer.name == type {
            let found = files.first { other in
                other.path == path && other.outline.name == name && other.outline.isDeclaration
                    && outer.body.contains(other.outline.body.lowerBound)
            }
            if let found { return found.outline }
        }
        return nil
    }

    /// Returns the values of a case of an enumeration that a type declares inside itself, or that is not nested.
    func associatedValues(
        of name: String, in enumeration: String, of owner: ClassOutline
    ) -> [ClassOutline.Parameter]? {
        let nested = files.filter { $0.outline.name == owner.name }.flatMap { _, outline in
            outline.tokens.enumerations(in: outline.body)
        }
        let others = sources.sorted { $0.key < $1.key }.flatMap { _, source in
            source.tokens.enumerations(in: source.tokens.indices).filter { !$0.isNested }
        }
        let found = (nested + others).first { $0.name == enumeration }
        return found?.cases.first { $0.name == name }?.values
    }

    /// Returns the name of the type of the values that a Combine subject sends; nil if a property is no subject.
    static func element(ofSubject property: ClassOutline.Property) -> String? {
        let type = property.type.isEmpty ? property.value.source : property.type
        guard type.hasPrefix("PassthroughSubject<") || type.hasPrefix("CurrentValueSubject<") else { return nil }
        let arguments = type.drop { $0 != "<" }.prefix { $0 != "," }
        return words(in: String(arguments)).last
    }

    /// The names of the view controllers and views in these files.
    var screens: [String] {
        let found = files.map(\.outline).filter { outline in
            guard outline.isDeclaration else { return false }
            return outline.name.hasSuffix("ViewController") || Self.isView(outline)
        }
        return Set(found.map(\.name)).sorted()
    }

    static func isView(_ outline: ClassOutline) -> Bool {
        outline.kind == "struct" && outline.inheritance.contains { $0.name == "View" }
    }

    func declares(_ name: String) -> Bool { declared[name] != nil }

    func declares(_ name: String, onlyIn path: String) -> Bool { declared[name] == [path] }

    func hasSubclass(_ name: String) -> Bool {
        files.contains { $0.outline.kind == "class" && $0.outline.inheritance.first?.name == name }
    }

    /// Returns the first name in a type that neither the app, the modules nor Swift declare; nil if there is none.
    ///
    /// Types inside the replaced type are unknown, because the replacement does not contain these types.
    func unknown(in type: String, of outline: ClassOutline) -> String? {
        for (open, close) in [("(", ")"), ("[", "]")] as [(Character, Character)]
        where type.count(where: { $0 == open }) != type.count(where: { $0 == close }) {
            return type
        }
        let generic = outline.genericParameters.map(\.name)
        return Self.words(in: type).first { word in
            guard word.first?.isUppercase == true, !generic.contains(word) else { return false }
            if outline.declaresType(word) { return true }
            return !declares(word) && !Self.system.contains(word) && !ModuleAPI.current.declares(word)
        }
    }

    /// Returns the source of a type that a file declares, if the declaration has no code and only known types.
    func plainDeclaration(of name: String, in path: String, for outline: ClassOutline) -> ArraySlice<SwiftToken>? {
        guard let tokens = sources[path]?.tokens else { return nil }
        var index = 0
        while index + 1 < tokens.count {
            if tokens[index + 1].isName(name), ["enum", "protocol", "struct"].contains(where: tokens[index].isName) {
                break
            }
            index = tokens[index].isMark("{") ? tokens.end(ofBlockAt: index) + 1 : index + 1
        }
        guard index + 1 < tokens.count, let open = tokens[index...].firstIndex(where: { $0.isMark("{") }) else {
            return nil
        }
        let end = tokens.end(ofBlockAt: open)
        guard end < tokens.count else { return nil }
        let body = tokens[(open + 1)..<end]
        let declaration = tokens[Self.start(ofDeclarationAt: index, in: tokens)...end]
        guard tokens[index].isName("protocol") || !body.contains(where: { $0.isMark("{") }),
            !declaration.contains(where: { $0.kind == .literal || $0.isMark("#") }),
            !declaration.contains(where: { unknown(in: $0.text, of: outline) != nil && $0.text.count > 1 })
        else { return nil }
        return declaration
    }

    private static func start(ofDeclarationAt index: Int, in tokens: [SwiftToken]) -> Int {
        var start = index
        while start > 0, tokens[start - 1].kind == .name {
            if start > 1, tokens[start - 2].isMark("@") {
                start -= 2
            } else if ["fileprivate", "indirect", "internal", "package", "private", "public"].contains(
                tokens[start - 1].text)
            {
                start -= 1
            } else {
                break
            }
        }
        return start
    }

    static func replacing(_ arguments: [String: String], in type: String) -> String {
        guard !arguments.isEmpty else { return type }
        var (text, word) = ("", "")
        for character in type + " " {
            if isInName(character) {
                word.append(character)
            } else {
                text += (arguments[word] ?? word) + String(character)
                word = ""
            }
        }
        return String(text.dropLast())
    }

    static func words(in type: String) -> [String] { type.split { !isInName($0) }.map(String.init) }

    private static func isInName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Types of Swift and Foundation that are not in the modules' table.
    private static let system: Set<String> = [
        "Any", "AnyHashable", "AnyObject", "Array", "Bool", "Calendar", "Character", "ClosedRange", "Codable", "Data",
        "Date", "DateComponents", "Decimal", "Decodable", "Dictionary", "Double", "Duration", "Encodable", "Equatable",
        "Error", "Float", "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "Int8", "Never", "Optional",
        "Range", "Result", "Self", "Sendable", "Set", "String", "Substring", "TimeInterval", "UInt", "UInt16", "UInt32",
        "UInt64", "UInt8", "URL", "UUID", "Void",
    ]
}

extension ClassOutline {
    fileprivate func declaresType(_ name: String) -> Bool {
        body.dropFirst().contains { index in
            tokens[index].isName(name)
                && ["actor", "class", "enum", "protocol", "struct", "typealias"].contains(
                    where: tokens[index - 1].isName)
        }
    }
}

/// The parameters of a closure without a result, such as `((Int, String) -> Void)?`.
struct ClosureType {
    let parameters: [ClassOutline.Parameter]
    let isOptional: Bool

    /// Parses a type; nil if the type is not a closure, or is a closure that returns a value, throws or waits.
    init?(_ type: String) {
        var text = type[...]
        isOptional = text.hasSuffix("?") || text.hasSuffix("!")
        if isOptional {
            guard text.hasPrefix("("), text.dropLast().hasSuffix(")") else { return nil }
            text = text.dropFirst().dropLast(2)
        }
        while text.hasPrefix("@"), let space = text.firstIndex(of: " ") { text = text[text.index(after: space)...] }
        guard let arrow = [" -> Void", " -> ()"].first(where: { text.hasSuffix($0) }) else { return nil }
        text = text.dropLast(arrow.count)
        // In a type, a hyphen is always part of an arrow. Searching for the text `->` would link a megabyte of regular
        // expressions.
        guard text.hasPrefix("("), text.hasSuffix(")"), !text.contains("-" as Character) else { return nil }
        guard let source = try? SwiftSource(Array(text.dropFirst().dropLast().utf8)) else { return nil }
        parameters = source.tokens[...].split(atMark: ",").enumerated().map { number, part in
            let parts = part.split(atMark: ":")
            let label = parts.count == 2 ? parts[0].last?.text : nil
            let name = label.flatMap { $0 == "_" ? nil : $0 } ?? (number == 0 ? "value" : "value\(number + 1)")
            return ClassOutline.Parameter(label: nil, name: name, type: (parts.last ?? part).source)
        }
    }
}

/// A stream of a view model's input, such as `AnyPublisher<Void, Never>` or `Observable<String>`.
struct InputStream {
    /// The type of the stream's values; nil for `Void`.
    let element: String?
    private let isCombine: Bool

    /// Parses a type; nil if the type is not a stream of simple values.
    init?(_ type: String) {
        let isCombine = type.hasPrefix("AnyPublisher<") && type.hasSuffix(", Never>")
        guard isCombine || type.hasPrefix("Observable<"), type.hasSuffix(">"), let open = type.firstIndex(of: "<")
        else { return nil }
        let element = String(type[type.index(after: open)...].dropLast(isCombine ? ", Never>".count : 1))
        guard element == "Void" || SimpleType(element) != nil else { return nil }
        self.element = element == "Void" ? nil : element
        self.isCombine = isCombine
    }

    /// The expression that creates the subject of the stream.
    var subject: String {
        let element = element ?? "Void"
        return isCombine ? "PassthroughSubject<\(element), Never>()" : "PublishSubject<\(element)>()"
    }

    /// The call that makes the subject a stream.
    var conversion: String { isCombine ? "eraseToAnyPublisher()" : "asObservable()" }

    /// The call that sends a value of an event into the subject.
    var send: String {
        switch (isCombine, element) {
        case (true, nil): "send()"
        case (true, _): "send(value)"
        case (false, nil): "onNext(())"
        case (false, _): "onNext(value)"
        }
    }
}

extension ArraySlice<SwiftToken> {
    /// The tokens at their places in the file, without comments.
    var layout: [String] {
        var lines: [String] = []
        var line = 0
        for index in indices {
            let token = self[index]
            if token.line != line { lines.append("") }
            line = token.line
            // The token of a name in backticks does not contain the backticks.
            let isDeclared =
                index > startIndex && ["case", "func", "let", "var"].contains(where: self[index - 1].isName)
            let text = isDeclared ? token.text.swiftIdentifier : token.text
            let last = lines.count - 1
            let column = token.column - (text == token.text ? 1 : 2)
            lines[last] += String(repeating: " ", count: Swift.max(0, column - lines[last].utf8.count)) + text
        }
        return lines
    }

    /// The source of a call's arguments if each is a literal without text, perhaps with a label; nil for others.
    var plainArguments: String? {
        let arguments = split(atMark: ",")
        let sources = arguments.compactMap { argument -> String? in
            let isLabelled = argument.first?.kind == .name && argument.dropFirst().first?.isMark(":") == true
            guard let value = (isLabelled ? argument.dropFirst(2) : argument).plainSource else { return nil }
            return isLabelled ? "\(argument.first?.text ?? "_"): \(value)" : value
        }
        return arguments.isEmpty || sources.count != arguments.count ? nil : sources.joined(separator: ", ")
    }

    /// The source of a value that consists of numbers, `nil`, `true`, `false`, members such as `.none`, and empty
    /// literals; nil for other values.
    var plainSource: String? {
        var depth = 0
        for index in indices {
            let token = self[index]
            switch token.kind {
            case .literal: return nil
            case .number: continue
            case .name:
                let isMember = index > startIndex && self[index - 1].isMark(".")
                guard isMember || ["nil", "true", "false"].contains(token.text) else { return nil }
            case .mark:
                guard ["[", "]", ".", "-", ",", ":"].contains(token.text) else { return nil }
                if token.text == "[" { depth += 1 }
                if token.text == "]" { depth -= 1 }
            }
        }
        return isEmpty || depth != 0 ? nil : source
    }
}
