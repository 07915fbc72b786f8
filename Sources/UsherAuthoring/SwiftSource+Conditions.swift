extension SwiftSource {
    /// The file as a build for Linux compiles it: without the branches of `#if` that are false there.
    ///
    /// If a condition depends on something else, such as `DEBUG`, all branches stay.
    package var onLinux: SwiftSource {
        var branches: [Branch] = []
        var kept: [SwiftToken] = []
        var index = 0
        while index < tokens.count {
            guard tokens[index].isMark("#"), index + 1 < tokens.count,
                let directive = Directive(rawValue: tokens[index + 1].text)
            else {
                if branches.allSatisfy(\.isCompiled) { kept.append(tokens[index]) }
                index += 1
                continue
            }
            let line = tokens[index].line
            let start = index + 2
            index = tokens[start...].firstIndex { $0.line != line } ?? tokens.count
            let value = Condition(tokens[start..<index]).value
            switch directive {
            case .if: branches.append(Branch(value: value))
            case .elseif: if let last = branches.popLast() { branches.append(last.next(value)) }
            case .else: if let last = branches.popLast() { branches.append(last.next(true)) }
            case .endif: _ = branches.popLast()
            }
        }
        return SwiftSource(tokens: kept, allowedLines: allowedLines)
    }

    private enum Directive: String {
        case `if`, `elseif`, `else`, `endif`
    }

    private struct Branch {
        let isCompiled: Bool
        /// A Boolean value that indicates whether this branch, or an earlier branch, is certainly compiled.
        let isDecided: Bool

        init(value: Bool?, isDecided: Bool = false) {
            isCompiled = !isDecided && value != false
            self.isDecided = isDecided || value == true
        }

        func next(_ value: Bool?) -> Branch { Branch(value: value, isDecided: isDecided) }
    }
}

/// A condition of `#if`, evaluated for Linux.
private struct Condition {
    private let tokens: ArraySlice<SwiftToken>

    init(_ tokens: ArraySlice<SwiftToken>) {
        self.tokens = tokens
    }

    /// The value; nil if it is not known.
    var value: Bool? {
        let alternatives = parts(separatedBy: "|")
        if alternatives.count > 1 {
            let values = alternatives.map(\.value)
            return values.contains(true) ? true : values.contains(nil) ? nil : false
        }
        let conjuncts = parts(separatedBy: "&")
        if conjuncts.count > 1 {
            let values = conjuncts.map(\.value)
            return values.contains(false) ? false : values.contains(nil) ? nil : true
        }
        return single
    }

    /// The parts between `||` or `&&`, where `mark` is `|` or `&`.
    private func parts(separatedBy mark: String) -> [Condition] {
        // Each operator consists of two marks, with an empty part between them.
        tokens.split(atMark: mark).filter { !$0.isEmpty }.map(Condition.init)
    }

    private var single: Bool? {
        guard let first = tokens.first else { return nil }
        if first.isMark("!") { return Condition(tokens.dropFirst()).single.map { !$0 } }
        if first.isMark("("), tokens.last?.isMark(")") == true {
            return Condition(tokens.dropFirst().dropLast()).value
        }
        guard tokens.count > 2, let argument = tokens.dropFirst(2).first?.text else { return nil }
        switch first.text {
        case "os": return argument == "Linux"
        case "targetEnvironment": return false
        case "canImport":
            if ModuleAPI.current.modules.contains(argument) || argument == "Foundation" { return true }
            // Another package's module may be there.
            return ModuleAPI.current.row(of: "import \(argument)") == nil ? nil : false
        default: return nil
        }
    }
}
