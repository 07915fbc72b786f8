import UsherBytes

/// A view controller or SwiftUI view, together with the members that it inherits from the app's base classes.
struct StubSubject {
    enum Kind {
        case controller, view
    }

    /// A class of the chain from the type to its first superclass outside the app.
    private struct Level {
        let outline: ClassOutline
        /// The types in place of the class's generic parameters.
        let arguments: [String: String]
    }

    /// A stored property with the type that it has in the subject.
    struct Stored {
        let property: ClassOutline.Property
        let type: String

        var name: String { property.name }
        var isPrivate: Bool { property.modifiers.contains("private") || property.modifiers.contains("fileprivate") }
        var isOptional: Bool { type.hasSuffix("?") || type.hasSuffix("!") }
        /// The SwiftUI attribute, such as `@ObservedObject`; nil if there is none.
        var wrapper: String? { Self.wrappers.first { property.modifiers.contains($0) } }
        /// A Boolean value that indicates whether an attribute has a meaning that the replacement lacks.
        var hasOtherAttribute: Bool { property.modifiers.contains { $0.hasPrefix("@") && $0 != wrapper } }

        private static let wrappers = [
            "@Binding", "@EnvironmentObject", "@ObservedObject", "@State", "@StateObject",
        ]
    }

    struct Initializer {
        let parameters: [ClassOutline.Parameter]
        let isFailable: Bool
        let isThrowing: Bool
        /// The statement that assigns each property, by the property's name.
        let assignments: [String: String]
    }

    let outline: ClassOutline
    let kind: Kind
    /// The type and its extensions.
    let parts: [ClassOutline]
    let types: StubTypes
    /// The first superclass outside the app; nil for a view.
    let superclass: String?
    private let levels: [Level]

    /// Collects the members of a type; throws `Failure` if the type cannot be replaced.
    init(_ outline: ClassOutline, parts: [ClassOutline], types: StubTypes) throws(ControllerStub.Failure) {
        self.outline = outline
        self.parts = parts
        self.types = types
        let name = outline.name
        if outline.isConstrained {
            throw ControllerStub.Failure(description: "\(name) has a clause `where`: write its replacement by hand")
        }
        if StubTypes.isView(outline) {
            (kind, levels, superclass) = (.view, [Level(outline: outline, arguments: [:])], nil)
            return
        }
        let chain = Self.chain(from: outline, in: types)
        guard outline.kind == "class", let superclass = chain.superclass,
            superclass.hasPrefix("UI") || superclass.hasSuffix("Controller")
        else { throw ControllerStub.Failure(description: "\(name) is neither a view controller nor a SwiftUI view") }
        if !outline.genericParameters.isEmpty {
            throw ControllerStub.Failure(
                description: "\(name) is generic: name one of its subclasses, or write the replacement by hand")
        }
        if superclass != "UIViewController", ModuleAPI.current.declaresType(superclass) {
            throw ControllerStub.Failure(
                description:
                    "\(name) is a \(superclass), which exists on Linux too: keep the class, and remove its views")
        }
        (kind, levels, self.superclass) = (.controller, chain.levels, superclass)
    }

    private static func chain(
        from outline: ClassOutline, in types: StubTypes
    ) -> (levels: [Level], superclass: String?) {
        var levels = [Level(outline: outline, arguments: [:])]
        // The limit ends a chain in code that does not compile, where a class may inherit from itself.
        while let last = levels.last, let parent = last.outline.inheritance.first, levels.count < 16 {
            guard let base = types.declaration(of: parent.name), base.kind == "class" else {
                return (levels, parent.name)
            }
            let arguments = parent.arguments.map { StubTypes.replacing(last.arguments, in: $0) }
            let pairs = zip(base.genericParameters.map(\.name), arguments)
            levels.append(Level(outline: base, arguments: Dictionary(pairs) { first, _ in first }))
        }
        return (levels, nil)
    }

    /// The names of the app's base classes, whose properties the replacement contains.
    var bases: [String] { levels.dropFirst().map(\.outline.name) }

    /// The stored properties, those of base classes last; the type of one may be unknown, and is empty then.
    var stored: [Stored] {
        var found: [Stored] = []
        for level in levels {
            for property in level.outline.properties
            where property.isStored && !found.contains(where: { $0.name == property.name }) {
                guard property.modifiers.isDisjoint(with: ["static", "class", "lazy", "override"]) else { continue }
                found.append(Stored(property: property, type: StubTypes.replacing(level.arguments, in: property.type)))
            }
        }
        return found
    }

    /// The initializers that can be written, and a remark about each initializer that cannot.
    var initializers: (written: [Initializer], remarks: [String]) {
        guard let level = levels.indices.first(where: { !levels[$0].outline.initializers.isEmpty }) else {
            return ([], [])
        }
        var (written, remarks): ([Initializer], [String]) = ([], [])
        for initializer in levels[level].outline.initializers where initializer.parameters.first?.label != "coder" {
            let parameters = initializer.parameters.map { parameter in
                ClassOutline.Parameter(
                    label: parameter.label, name: parameter.name,
                    type: StubTypes.replacing(levels[level].arguments, in: parameter.type), value: parameter.value)
            }
            if let problem = problem(of: initializer, parameters) {
                let labels = parameters.map { "\($0.label ?? "_"):" }.joined()
                remarks.append("`init(\(labels))`, because \(problem)")
            } else {
                written.append(
                    Initializer(
                        parameters: parameters, isFailable: initializer.isFailable,
                        isThrowing: initializer.effects.contains("throws"),
                        assignments: assignments(in: initializer, at: level).mapValues(\.statement)))
            }
        }
        return (written, remarks)
    }

    private func problem(
        of initializer: ClassOutline.Initializer, _ parameters: [ClassOutline.Parameter]
    ) -> String? {
        if initializer.modifiers.contains("convenience") { return "it calls another initializer" }
        if initializer.modifiers.contains("override"), !parameters.isEmpty {
            return "it overrides an initializer of UIKit"
        }
        if initializer.effects.contains("async") { return "it is asynchronous" }
        for parameter in parameters {
            if let unknown = types.unknown(in: parameter.type, of: outline) {
                return "\(unknown) is not declared in these files"
            }
            if !parameter.value.isEmpty, parameter.value.plainSource == nil {
                return "the default value of `\(parameter.name)` is not understood"
            }
        }
        return nil
    }
}

extension StubSubject {
    /// A property that is set to the value of a parameter, perhaps in a SwiftUI wrapper.
    private struct Assignment {
        let property: String
        let wrapper: String?
        /// A Boolean value that indicates whether the parameter is a closure that returns the value.
        var isCalled = false
        var parameter: String

        var statement: String {
            let value = parameter.swiftIdentifier + (isCalled ? "()" : "")
            guard let wrapper else { return "self.\(property.swiftIdentifier) = \(value)" }
            return "_\(property) = \(wrapper)(wrappedValue: \(value))"
        }
    }

    /// Returns the assignments of an initializer's own parameters, by property.
    private func assignments(in initializer: ClassOutline.Initializer, at level: Int) -> [String: Assignment] {
        var found: [String: Assignment] = [:]
        let tokens = levels[level].outline.tokens
        let names = Set(initializer.parameters.map(\.name))
        for index in initializer.body {
            if let assignment = Self.assignment(at: index, in: tokens, upTo: initializer.body.upperBound) {
                if names.contains(assignment.parameter) { found[assignment.property] = assignment }
            } else if level + 1 < levels.count, let passed = Self.superArguments(at: index, in: tokens, names) {
                found.merge(assignments(passing: passed, toInitializerAt: level + 1)) { own, _ in own }
            }
        }
        return found
    }

    private func assignments(
        passing arguments: [(label: String?, value: String)], toInitializerAt level: Int
    ) -> [String: Assignment] {
        let labels = arguments.map(\.label)
        let base = levels[level].outline.initializers.first { $0.parameters.map(\.label) == labels }
        guard let base else { return [:] }
        let values = Dictionary(zip(base.parameters.map(\.name), arguments.map(\.value))) { first, _ in first }
        return assignments(in: base, at: level).compactMapValues { assignment in
            guard let value = values[assignment.parameter] else { return nil }
            var passed = assignment
            passed.parameter = value
            return passed
        }
    }

    /// Reads a whole statement: `property = name`, `self.property = name`, `_property = Wrapper(wrappedValue: name)`, or
    /// the last with `name()`.
    private static func assignment(at index: Int, in tokens: [SwiftToken], upTo end: Int) -> Assignment? {
        guard index + 2 < end, tokens[index].kind == .name, tokens[index + 1].isMark("="),
            tokens[index + 2].kind == .name
        else { return nil }
        let first = index > 1 && tokens[index - 1].isMark(".") && tokens[index - 2].isName("self") ? index - 2 : index
        let line = tokens[index].line
        guard first > 0, tokens[first - 1].line != line || ["{", ";"].contains(where: tokens[first - 1].isMark) else {
            return nil
        }
        let rest = tokens[(index + 2)..<end].prefix { $0.line == line && !$0.isMark(";") }.map(\.text)
        let name = tokens[index].text
        if rest.count == 1 { return Assignment(property: name, wrapper: nil, parameter: rest[0]) }
        guard name.hasPrefix("_"), rest.count > 5, rest[1] == "(", rest[2] == "wrappedValue", rest[3] == ":",
            ["ObservedObject", "State", "StateObject"].contains(rest[0])
        else { return nil }
        let end = Array(rest.dropFirst(5))
        guard end == [")"] || end == ["(", ")", ")"] else { return nil }
        return Assignment(
            property: String(name.dropFirst()), wrapper: rest[0], isCalled: end.count > 1, parameter: rest[4])
    }

    /// Reads the arguments of `super.init(label: name, …)`, each a parameter of the initializer.
    private static func superArguments(
        at index: Int, in tokens: [SwiftToken], _ names: Set<String>
    ) -> [(label: String?, value: String)]? {
        guard index + 3 < tokens.count, tokens[index].isName("super"), tokens[index + 1].isMark("."),
            tokens[index + 2].isName("init"), tokens[index + 3].isMark("(")
        else { return nil }
        let close = tokens.end(ofBlockAt: index + 3)
        guard close < tokens.count else { return nil }
        var found: [(label: String?, value: String)] = []
        for argument in tokens[(index + 4)..<close].split(atMark: ",") {
            guard let last = argument.last, names.contains(last.text) else { return nil }
            let isLabelled = argument.count == 3 && argument.dropFirst().first?.isMark(":") == true
            guard isLabelled || argument.count == 1 else { return nil }
            found.append((isLabelled ? argument.first?.text : nil, last.text))
        }
        return found
    }
}
