/// The search for code that needs the Objective-C runtime in a file's tokens, with its replacements.
struct ObjectiveCSearch {
    private let tokens: [SwiftToken]
    private let scopes: [TypeScope]
    private let properties: DeclaredProperties
    private let places: BytePlaces
    /// The replacements, in the order of the file.
    private(set) var edits: [SourceEdit] = []
    /// The index after the last selector in a pattern, such as `case #selector(copy(_:))`.
    private var endOfPattern: Int?
    /// The code without a replacement, with the reason and what to write.
    private(set) var faults: [(name: String, token: SwiftToken, text: String)] = []

    /// Attributes that Linux does not know, or that demand classes of Objective-C.
    private static let attributes: Set<String> = [
        "IBAction", "IBDesignable", "IBInspectable", "IBOutlet", "IBSegueAction", "nonobjc", "objc", "objcMembers",
    ]

    init(_ tokens: [SwiftToken], _ scopes: [TypeScope], _ properties: DeclaredProperties, _ places: BytePlaces) {
        self.tokens = tokens
        self.scopes = scopes
        self.properties = properties
        self.places = places
    }

    mutating func read() {
        for index in tokens.indices.dropLast() {
            let name = tokens[index + 1]
            guard name.kind == .name, places.offset(of: name) == places.end(of: tokens[index]) else { continue }
            if tokens[index].isMark("@"), Self.attributes.contains(name.text) {
                removeAttribute(at: index)
            } else if tokens[index].isMark("#"), name.text == "selector", isMark("(", at: index + 2) {
                replaceSelector(at: index)
            } else if tokens[index].isMark("#"), name.text == "keyPath" {
                note("#keyPath", tokens[index], "#keyPath needs Objective-C: write a key path, such as \\Type.property")
            }
        }
    }

    private func isMark(_ text: String, at place: Int) -> Bool {
        tokens.indices.contains(place) && tokens[place].isMark(text)
    }

    private mutating func note(_ name: String, _ token: SwiftToken, _ text: String) {
        faults.append((name, token, text))
    }
}

extension ObjectiveCSearch {
    private mutating func removeAttribute(at index: Int) {
        let name = tokens[index + 1]
        var last = index + 1
        if isMark("(", at: last + 1), places.offset(of: tokens[last + 1]) == places.end(of: name) {
            last = min(tokens.end(ofBlockAt: last + 1), tokens.count - 1)
        }
        let range = places.offset(of: tokens[index])..<places.end(of: tokens[last])
        let isInOneLine = tokens[index].line == tokens[last].line
        edits.append(SourceEdit(range: range, text: isInOneLine ? String(repeating: " ", count: range.count) : " "))
        if name.text == "objc" { readDeclaration(after: last) }
    }

    /// Reads the declaration of an attribute; a protocol becomes a protocol that only classes can adopt.
    private mutating func readDeclaration(after index: Int) {
        var place = index + 1
        while tokens.indices.contains(place), tokens[place].kind == .name || isMark("@", at: place) {
            if tokens[place].isName("optional") {
                return note(
                    "optional", tokens[place],
                    "an optional requirement needs Objective-C: make it a requirement that an extension implements")
            }
            if tokens[place].isName("protocol") { return bindToClasses(at: place) }
            guard isMark("@", at: place) || isMark("@", at: place - 1) || Self.modifiers.contains(tokens[place].text)
            else { return }
            place += 1
        }
    }

    private static let modifiers: Set<String> = ["fileprivate", "internal", "open", "package", "private", "public"]

    private mutating func bindToClasses(at place: Int) {
        guard place + 2 < tokens.count, tokens[place + 1].kind == .name,
            let open = tokens[place...].firstIndex(where: { $0.isMark("{") })
        else { return }
        let (name, next) = (tokens[place + 1], tokens[place + 2])
        let supertypes = tokens[(place + 2)..<open]
        guard !supertypes.contains(where: { ["AnyObject", "NSObjectProtocol", "class"].contains($0.text) }) else {
            return
        }
        // The name may have backticks, so the text is inserted before the next token.
        if next.isMark(":") {
            edits.append(SourceEdit(range: places.end(of: next)..<places.end(of: next), text: " AnyObject,"))
        } else if next.isMark("{") {
            edits.append(SourceEdit(range: places.offset(of: next)..<places.offset(of: next), text: ": AnyObject "))
        } else {
            note("@objc", name, "a protocol with @objc is bound to classes: write `: AnyObject`")
        }
    }
}

extension ObjectiveCSearch {
    private mutating func replaceSelector(at index: Int) {
        let close = tokens.end(ofBlockAt: index + 2)
        guard close < tokens.count else { return note("#selector", tokens[index], "#selector has no end") }
        if isPattern(index) {
            endOfPattern = close + 1
            return note("#selector", tokens[index], "#selector in a pattern needs Objective-C: compare with `==`")
        }
        let range = places.offset(of: tokens[index])..<places.end(of: tokens[close])
        switch selector(of: tokens[(index + 3)..<close], at: index) {
        case .success(let text): edits.append(SourceEdit(range: range, text: text))
        case .failure(let fault): note("#selector", tokens[index], fault.text)
        }
    }

    /// Returns whether an expression is a pattern of `case`; a pattern cannot contain a closure.
    private func isPattern(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        return tokens[index - 1].isName("case") || tokens[index - 1].isMark(",") && endOfPattern == index - 1
    }

    private struct SelectorFault: Error {
        let text: String
    }

    private func selector(of argument: ArraySlice<SwiftToken>, at index: Int) -> Result<String, SelectorFault> {
        if argument.dropFirst().first?.isMark(":") == true, ["getter", "setter"].contains(argument.first?.text) {
            return .failure(
                SelectorFault(text: "#selector of a property needs Objective-C: write a method, and name it"))
        }
        let name = argument.prefix { !$0.isName("as") }
        guard let path = MethodPath(name) else {
            return .failure(
                SelectorFault(text: "#selector is not understood: write the method's class, #selector(Type.method(_:))")
            )
        }
        guard let owner = owner(of: path, at: index) else {
            let written = path.owner.joined(separator: ".")
            let what = written.isEmpty ? "the class of \(path.method)" : "the type of \(written)"
            return .failure(
                SelectorFault(text: "\(what) is not known here: write the class, #selector(Type.\(path.method))"))
        }
        let cast = name.endIndex == argument.endIndex ? "" : " as \(argument[(name.endIndex + 1)...].source)"
        return .success(
            "Selector(\"\(path.method)\", { (target: \(owner)) in target.\(path.method)\(path.labels)\(cast) })")
    }

    /// Returns the type with the method; nil if it is not known.
    private func owner(of path: MethodPath, at index: Int) -> String? {
        let enclosing = scopes.last { $0.body.contains(index) }?.name
        var owner = path.owner[...]
        if let first = owner.first, ["self", "Self", "super"].contains(first) {
            owner = owner.dropFirst()
            guard let last = owner.last else { return enclosing }
            if Self.isType(last) { return enclosing.map { "\($0).\(owner.joined(separator: "."))" } }
        }
        guard let last = owner.last else { return enclosing }
        if Self.isType(last) { return owner.joined(separator: ".") }
        guard owner.count == 1, let enclosing else { return nil }
        return properties.type(of: last, in: enclosing)
    }

    private static func isType(_ name: String) -> Bool { name.first?.isUppercase == true }
}

/// The method that a selector names, such as `Editor.save(_:)`.
private struct MethodPath {
    /// The names before the method's: a type, or an expression such as `self.viewModel`.
    let owner: [String]
    let method: String
    /// The labels in parentheses; empty if there are none.
    let labels: String

    init?(_ tokens: ArraySlice<SwiftToken>) {
        var names: [String] = []
        var place = tokens.startIndex
        while place < tokens.endIndex, tokens[place].kind == .name {
            names.append(tokens[place].text)
            place += 1
            while place < tokens.endIndex, tokens[place].isMark("?") || tokens[place].isMark("!") { place += 1 }
            guard place < tokens.endIndex, tokens[place].isMark(".") else { break }
            place += 1
        }
        guard let method = names.popLast(), place > tokens.startIndex, !tokens[place - 1].isMark(".") else {
            return nil
        }
        let rest = tokens[place...]
        var isLabel = true
        for token in rest.dropFirst().dropLast() {
            guard isLabel ? token.kind == .name : token.isMark(":") else { return nil }
            isLabel.toggle()
        }
        guard rest.isEmpty || rest.count > 3 && rest.first?.isMark("(") == true && rest.last?.isMark(")") == true,
            isLabel
        else { return nil }
        (owner, self.method, labels) = (names, method, rest.map(\.text).joined())
    }
}
