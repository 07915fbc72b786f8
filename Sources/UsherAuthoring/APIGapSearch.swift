/// The search for uses of Apple's APIs in a file, by its tokens only.
///
/// The search knows the type of a member in `Type.member`, `Type.shared.member`, `self.member`, in an override, and
/// after a name that the file declares with its type. Otherwise the search finds only members whose names no other type
/// has.
struct APIGapSearch {
    private let tokens: [SwiftToken]
    private let allowedLines: Set<Int>
    private let outlines: [ClassOutline]
    private let file: String
    private let app: AppNames
    private let api = ModuleAPI.current
    /// The types of the names that the file declares with one type.
    private let typesOfNames: [String: String]
    private let importsModules: Bool
    /// A Boolean value that indicates whether the file imports another package, which may declare anything.
    private let importsPackage: Bool

    init(_ source: SwiftSource, in file: String, of app: AppNames) {
        tokens = source.tokens
        allowedLines = source.allowedLines
        outlines = ClassOutline.all(in: source)
        self.file = file
        self.app = app
        typesOfNames = Self.typesOfNames(in: source.tokens)
        importsModules = !source.imports.isDisjoint(with: api.modules)
        importsPackage = source.imports.contains { module in
            !ModuleAPI.current.modules.contains(module) && !Self.system.contains(module)
                && ModuleAPI.current.row(of: "import \(module)") == nil
        }
    }

    private static let system: Set<String> = [
        "Dispatch", "Foundation", "FoundationNetworking", "Observation", "Swift", "Synchronization", "Usher",
    ]

    /// Returns all uses in the order of the file, except in lines that a comment `usher:allow` allows.
    func gaps() -> [APIGap] { tokens.indices.compactMap(gap(at:)).filter { !allowedLines.contains($0.line) } }

    private func gap(at index: Int) -> APIGap? {
        let token = tokens[index]
        guard token.kind == .name else { return nil }
        if isMark("@", at: index - 1) || isMark("#", at: index - 1) {
            return named(tokens[index - 1].text + token.text, at: index - 1)
        }
        if isName("import", at: index - 1) || isImportOfOneName(index) {
            if app.declaresModule(token.text) { return nil }
            let submodule = isMark(".", at: index + 1) ? tokens.dropFirst(index + 2).first?.text : nil
            return submodule.flatMap { named("import \(token.text).\($0)", at: index - 1) }
                ?? named("import \(token.text)", at: index - 1)
        }
        if isName("import", at: index) { return nil }
        return override(at: index) ?? typeUse(at: index) ?? memberUse(at: index)
    }

    private func isImportOfOneName(_ index: Int) -> Bool {
        isName("import", at: index - 2) && !isMark(".", at: index - 1) && tokens[index - 1].line == tokens[index].line
    }

    private func named(_ name: String, at index: Int) -> APIGap? {
        api.row(of: name).map { APIGap(name, $0, at: tokens[index], in: file) }
    }

    private func isMark(_ text: String, at place: Int) -> Bool {
        tokens.indices.contains(place) && tokens[place].isMark(text)
    }

    private func isName(_ text: String, at place: Int) -> Bool {
        tokens.indices.contains(place) && tokens[place].isName(text)
    }
}

extension APIGapSearch {
    private func typeUse(at index: Int) -> APIGap? {
        let name = tokens[index].text
        guard name.first?.isUppercase == true, isGlobal(index), !app.declaresType(name) else { return nil }
        if let row = api.row(of: name) {
            // SwiftUI's names have no prefix: without the import, such names belong to another module.
            guard importsModules || ModuleAPI.isApples(name) else { return nil }
            return APIGap(name, row, at: tokens[index], in: file)
        }
        guard !importsPackage, ModuleAPI.isApples(name), !api.declares(name), !app.declaresMember(name) else {
            return nil
        }
        return APIGap(name, nil, at: tokens[index], in: file)
    }

    private func isGlobal(_ index: Int) -> Bool { !isMark(".", at: index - 1) || isQualified(index) }

    /// Returns whether the name before the dot is one of the modules.
    private func isQualified(_ index: Int) -> Bool {
        index > 1 && api.modules.contains(tokens[index - 2].text) && !isMark(".", at: index - 3)
    }
}

extension APIGapSearch {
    private func memberUse(at index: Int) -> APIGap? {
        let member = tokens[index].text
        guard isMark(".", at: index - 1) else { return bareUse(at: index) }
        guard !Self.ofEveryType.contains(member), !isQualified(index) else { return nil }
        if let owner = ownerOfMember(at: index) { return gap(of: member, of: owner, at: index) }
        guard importsModules, !app.declaresMember(member), let row = api.row(ofUniqueName: member),
            let owner = row.owner
        else { return nil }
        return APIGap("\(owner).\(member)", row, at: tokens[index], in: file)
    }

    private static let ofEveryType: Set<String> = ["Protocol", "Type", "description", "init", "self"]

    /// Finds the call of an inherited method without `self`, such as `performSegue(…)`.
    private func bareUse(at index: Int) -> APIGap? {
        let member = tokens[index].text
        guard isMark("(", at: index + 1), !isName("func", at: index - 1), !app.declaresMember(member),
            let row = api.row(ofUniqueName: member), let owner = row.owner,
            let type = typeAround(index), api.row(of: member, of: type) != nil
        else { return nil }
        return APIGap("\(owner).\(member)", row, at: tokens[index], in: file)
    }

    private func gap(of member: String, of type: String, at index: Int) -> APIGap? {
        if let row = api.row(of: member, of: type), let owner = row.owner {
            guard row.status == .differs || !app.declaresMember(member) else { return nil }
            return APIGap("\(owner).\(member)", row, at: tokens[index], in: file)
        }
        guard !importsPackage, !api.declares(member, of: type), !app.declaresMember(member),
            !api.declaresType("\(type).\(member)")
        else { return nil }
        return APIGap("\(type).\(member)", nil, at: tokens[index], in: file)
    }

    /// Finds an override of a member that the modules' class does not have.
    private func override(at index: Int) -> APIGap? {
        guard isName("func", at: index - 1) || isName("var", at: index - 1),
            tokens.modifiers(before: index - 1, in: tokens.indices).contains("override"),
            let type = typeAround(index)
        else { return nil }
        return gap(of: tokens[index].text, of: type, at: index)
    }

    /// Returns the type whose member is at an index; nil if the type is not known to be a type of the modules.
    private func ownerOfMember(at index: Int) -> String? {
        var place = index - 2
        while isMark("?", at: place) || isMark("!", at: place) { place -= 1 }
        // `UNUserNotificationCenter.current().add`
        if isMark(")", at: place), isMark("(", at: place - 1) { place -= 2 }
        guard place >= 0, tokens[place].kind == .name else { return nil }
        let name = tokens[place].text
        guard isMark(".", at: place - 1) else {
            switch name {
            case "self", "super": return typeAround(index)
            default: return ownType(name) ?? typesOfNames[name].flatMap(ownType)
            }
        }
        if isQualified(place) { return ownType(name) }
        guard place > 1, tokens[place - 2].kind == .name, !isMark(".", at: place - 3) else { return nil }
        let owner = tokens[place - 2].text
        if owner == "self" { return typesOfNames[name].flatMap(ownType) }
        guard let type = ownType(owner) else { return nil }
        // `UIApplication.shared.open`, `UIView.AnimationOptions.curveEaseIn`
        if Self.singletons.contains(name), api.declares(name, of: type) { return type }
        return api.declaresType("\(type).\(name)") ? "\(type).\(name)" : nil
    }

    private static let singletons: Set<String> = ["current", "default", "general", "main", "shared", "standard"]

    private func ownType(_ name: String) -> String? {
        api.declaresType(name) && !app.declaresType(name) ? name : nil
    }

    /// Returns the modules' type that the declaration around an index inherits from or extends.
    private func typeAround(_ index: Int) -> String? {
        guard let outline = outlines.last(where: { $0.body.contains(index) }) else { return nil }
        if outline.kind == "extension", let type = ownType(outline.name) { return type }
        return app.moduleType(of: outline.name)
    }
}

extension APIGapSearch {
    /// Returns the types of the names that are declared with a type, if each declaration of a name has the same type.
    private static func typesOfNames(in tokens: [SwiftToken]) -> [String: String] {
        var types: [String: String] = [:]
        var unclear: Set<String> = []
        for index in tokens.indices where tokens[index].kind == .name && index + 1 < tokens.count {
            let name = tokens[index].text
            guard let type = type(ofNameAt: index, in: tokens) else {
                if isDeclaredWithoutType(index, in: tokens) { unclear.insert(name) }
                continue
            }
            if types[name] ?? type != type { unclear.insert(name) }
            types[name] = type
        }
        return types.filter { !unclear.contains($0.key) }
    }

    /// Returns the type in `name: Type`, `name: any Type` or `name = Type(…)`; a compound type is in parentheses.
    private static func type(ofNameAt index: Int, in tokens: [SwiftToken]) -> String? {
        let isTyped = tokens[index + 1].isMark(":")
        guard isTyped || tokens[index + 1].isMark("=") else { return nil }
        let rest = tokens[(index + 2)...]
        guard let place = rest.firstIndex(where: { !$0.isMark("@") && !wordsBeforeType.contains($0.text) }) else {
            return nil
        }
        let next = tokens.dropFirst(place + 1).first
        guard isTyped else {
            return next?.isMark("(") == true && !isChained(from: place + 1, in: tokens) ? typeName(tokens[place]) : nil
        }
        let isCompound = [".", "<", "&", "-"].contains { next?.isMark($0) == true }
        // `style: UIColor(…)` is an argument.
        guard next?.isMark("(") != true else { return nil }
        return isCompound ? "(\(tokens[place].text))" : typeName(tokens[place]) ?? "(\(tokens[place].text))"
    }

    /// Returns whether a member follows the bracket that closes another, as in `Type(…).member`.
    private static func isChained(from opening: Int, in tokens: [SwiftToken]) -> Bool {
        var depth = 0
        for place in opening..<tokens.count {
            if tokens[place].isMark("(") { depth += 1 }
            if tokens[place].isMark(")") { depth -= 1 }
            if depth == 0 { return tokens.dropFirst(place + 1).first?.isMark(".") == true }
        }
        return false
    }

    private static let wordsBeforeType: Set<String> = ["any", "escaping", "inout", "some"]

    private static func typeName(_ token: SwiftToken) -> String? {
        token.kind == .name && token.text.first?.isUppercase == true ? token.text : nil
    }

    /// Returns whether a name is declared with a value or as a closure's parameter, so that its type is not written.
    private static func isDeclaredWithoutType(_ index: Int, in tokens: [SwiftToken]) -> Bool {
        let next = tokens[index + 1]
        if next.isName("in") { return true }
        guard index > 0, tokens[index - 1].isName("let") || tokens[index - 1].isName("var") else { return false }
        // `if let window {` keeps the type.
        return !next.isMark("{") && !next.isMark(",") && !next.isName("else")
    }
}
