import UsherBytes

/// A replacement for a view controller or a SwiftUI view, generated from its class or structure.
///
/// An event is a method that the controller calls for the user on its view model, delegate or coordinator, or a method
/// of the controller that a control calls. The screen's contents are the controller's properties of simple types. The
/// author edits the template.
package struct ControllerStub {
    /// An error for a type of which no replacement can be made; the description is one sentence.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    struct Event {
        let name: String
        let parameters: [ClassOutline.Parameter]
        let call: String
    }

    /// A property of the screen.
    struct Shown {
        let name: String
        let type: String
        let access: String
    }

    /// The subjects that events are sent into, and the statement that passes them to the view model.
    struct RelayedInputs {
        let method: String
        let declarations: [String]
        let statement: String
    }

    let subject: StubSubject
    let imports: [String]
    let screen: String
    /// The properties of the replacement.
    private(set) var kept: [StubSubject.Stored] = []
    private(set) var initializers: [StubSubject.Initializer] = []
    private(set) var events: [Event] = []
    private(set) var content: [Shown] = []
    private(set) var inputs: RelayedInputs?
    /// The declarations of the original's file that the replacement contains, as lines.
    private(set) var copies: [[String]] = []
    /// One clause for each thing that the replacement lacks.
    package private(set) var remarks: [String] = []

    /// Finds a type in the files of a package, which are given by path.
    package init(of name: String, in files: [String: SwiftSource]) throws(Failure) {
        let types = StubTypes(in: files)
        let found = types.outlines(named: name)
        for (path, outline) in found where outline.supertypes.contains(where: Self.isScreen) {
            throw Failure(description: "\(name) already has a screen: \(path):\(outline.line)")
        }
        let declarations = found.filter { $0.outline.isDeclaration }
        guard let first = declarations.first else {
            let known = types.screens.isEmpty ? "none" : types.screens.prefix(8).joined(separator: ", ")
            throw Failure(
                description: "there is no type \(name) in these files; view controllers and views in them: \(known)")
        }
        guard declarations.count == 1 else {
            let places = declarations.map { "\($0.path):\($0.outline.line)" }.joined(separator: ", ")
            throw Failure(
                description:
                    "there are several types \(name) (\(places)); name the file that declares the type you mean")
        }
        let extensions = found.filter { !$0.outline.isDeclaration }.map(\.outline)
        subject = try StubSubject(first.outline, parts: [first.outline] + extensions, types: types)
        screen = Self.screenName(for: name, in: types)
        imports = Self.imports(of: files[first.path]?.imports ?? [], for: subject.kind)
        findProperties()
        findTypesToCopy(from: first.path)
        guard hasScreen else { return }
        findInputs()
        findEvents()
        findContent()
    }

    private static func isScreen(_ name: String) -> Bool { name == "ScreenController" || name == "ScreenView" }

    private static func screenName(for name: String, in types: StubTypes) -> String {
        var stem = name[...]
        for suffix in ["Controller", "View", "Screen"] where stem.hasSuffix(suffix) && stem.count > suffix.count {
            stem = stem.dropLast(suffix.count)
        }
        var names = ["\(stem)Screen", "\(name)Content"]
        while let next = names.first, types.declares(next) { names = Array(names.dropFirst()) + ["\(next)OfClients"] }
        return names[0]
    }

    /// Returns the modules of a file that exist on Linux, and the modules that the replacement needs.
    private static func imports(of file: Set<String>, for kind: StubSubject.Kind) -> [String] {
        let known = file.filter { ModuleAPI.current.modules.contains($0) || $0 == "RxSwift" }
        return known.union([kind == .view ? "SwiftUI" : "UIKit", "Usher"]).sorted()
    }

    /// A Boolean value that indicates whether no property has the name of a requirement of a screen.
    private var hasScreen: Bool { !kept.contains { $0.name == "content" || $0.name == "handle" } }

    /// A Boolean value that indicates whether clients see more of the replacement than its name.
    var isShown: Bool { hasScreen && (subject.kind == .controller || !events.isEmpty || !content.isEmpty) }

    private mutating func remark(_ text: String) {
        if !remarks.contains(text) { remarks.append(text) }
    }
}

extension ControllerStub {
    private mutating func findProperties() {
        let found = subject.initializers
        initializers = found.written
        for text in found.remarks { remark("no \(text)") }
        for base in subject.bases {
            remark("this class does not inherit from \(base), but has the properties of that class")
        }
        if let superclass = subject.superclass, superclass != "UIViewController" {
            remark("this class is a UIViewController instead of a \(superclass)")
        }
        for stored in subject.stored { decide(on: stored) }
        for supertype in subject.outline.inheritance.dropFirst(subject.kind == .controller ? 1 : 0)
        where supertype.name != "View" && subject.types.declares(supertype.name) {
            remark("this type does not conform to \(supertype.name)")
        }
        if !hasScreen { remark("this type has no screen, because a property is called `content` or `handle`") }
    }

    /// Copies types that the replacement needs, and that only the original's file declares, which Linux excludes.
    ///
    /// Types that contain code cannot be copied.
    private mutating func findTypesToCopy(from path: String) {
        let types =
            kept.map(\.type) + initializers.flatMap { $0.parameters.map(\.type) }
            + subject.outline.genericParameters.compactMap(\.constraint)
        var names = types.flatMap(StubTypes.words)
        var seen: Set<String> = [subject.outline.name]
        while let name = names.popLast() {
            guard seen.insert(name).inserted, subject.types.declares(name, onlyIn: path) else { continue }
            if let copy = subject.types.plainDeclaration(of: name, in: path, for: subject.outline) {
                copies.insert(copy.layout, at: 0)
                names += copy.filter { $0.kind == .name }.map(\.text)
            } else {
                remark("move \(name) into another file, because the original's file is excluded on Linux")
            }
        }
    }

    /// Keeps a property if the replacement can have it; otherwise adds a remark, unless the property is private.
    private mutating func decide(on stored: StubSubject.Stored) {
        let unknown = subject.types.unknown(in: stored.type, of: subject.outline)
        let isAssigned = !initializers.isEmpty && initializers.allSatisfy { $0.assignments[stored.name] != nil }
        let isEmpty = stored.property.value.isEmpty
        let isSetLater = stored.isOptional && stored.property.keyword == "var" && isEmpty
        let isMemberwise = subject.kind == .view && initializers.isEmpty && isEmpty
        let problem: String
        if stored.type.isEmpty {
            problem = "its type is not written"
        } else if let unknown {
            problem = "\(unknown) is not declared in these files"
        } else if stored.hasOtherAttribute {
            problem = "its attribute is not understood"
        } else if isAssigned || stored.wrapper == "@EnvironmentObject" || isSetLater && isPartner(stored) {
            return kept.append(stored)
        } else if isMemberwise || isSetLater || stored.property.value.plainSource != nil {
            if !stored.isPrivate { kept.append(stored) }
            return
        } else {
            problem = "its value is not understood"
        }
        let isHidden = stored.isPrivate || stored.property.modifiers.contains("@IBOutlet")
        if !isHidden || isPartner(stored) {
            remark("no property `\(stored.name)`, because \(problem)")
        }
    }

    /// Returns whether the type calls methods of a property's value for the user.
    private func isPartner(_ stored: StubSubject.Stored) -> Bool {
        let isObserved = ["@EnvironmentObject", "@ObservedObject", "@StateObject"].contains(stored.wrapper)
        return isObserved || Self.partnerNames.contains(stored.name) || stored.name.hasSuffix("Delegate")
    }

    private static let partnerNames: Set<String> = [
        "viewModel", "presenter", "delegate", "coordinator", "interactor", "output", "listener", "router", "model",
        "store",
    ]

    private var partners: [StubSubject.Stored] { kept.filter(isPartner) }

    /// Returns the declaration of a property's type, or of the constraint of a generic parameter.
    private func declaration(of stored: StubSubject.Stored) -> ClassOutline? {
        let name = StubTypes.words(in: stored.type).first { $0 != "any" && $0 != "some" } ?? ""
        guard let generic = subject.outline.genericParameters.first(where: { $0.name == name }) else {
            return subject.types.declaration(of: name)
        }
        return StubTypes.words(in: generic.constraint ?? "").first.flatMap(subject.types.declaration)
    }

    private static func problem(ofType type: String) -> String {
        type.isEmpty ? "its type is not written" : "\(type) is not a simple type"
    }

    private mutating func findContent() {
        for stored in kept where SimpleType(stored.type) != nil && !stored.isPrivate && stored.name != "title" {
            content.append(Shown(name: stored.name, type: stored.type, access: stored.name.swiftIdentifier))
        }
        for partner in partners where !partner.isOptional {
            guard let declaration = declaration(of: partner), declaration.kind != "actor" else { continue }
            for property in declaration.properties where property.isPlain && SimpleType(property.type) != nil {
                guard Self.isAccessible(property.modifiers), property.name != "title",
                    !content.contains(where: { $0.name == property.name })
                else { continue }
                let access = "\(partner.name).\(property.name.swiftIdentifier)"
                content.append(Shown(name: property.name, type: property.type, access: access))
            }
            for part in subject.parts { remarkOnState(of: partner, declaration, in: part) }
        }
    }

    /// Remarks on the properties that the screen reads, and that have no simple type.
    private mutating func remarkOnState(
        of partner: StubSubject.Stored, _ declaration: ClassOutline, in part: ClassOutline
    ) {
        let tokens = part.tokens
        for index in part.body where tokens[index].isName(partner.name) && index + 3 < tokens.count {
            guard tokens[index + 1].isMark("."), !(tokens[index + 3].isMark(".") && isSend(at: index + 4, in: tokens)),
                let property = declaration.properties.first(where: { $0.name == tokens[index + 2].text }),
                property.isPlain, Self.isAccessible(property.modifiers), ClosureType(property.type) == nil,
                SimpleType(property.type) == nil
            else { continue }
            remark("no content of `\(partner.name).\(property.name)`, because \(Self.problem(ofType: property.type))")
        }
    }

    private func isSend(at index: Int, in tokens: [SwiftToken]) -> Bool {
        index + 1 < tokens.count && tokens[index].isName("send") && tokens[index + 1].isMark("(")
    }

    private static func isAccessible(_ modifiers: Set<String>) -> Bool {
        modifiers.isDisjoint(with: ["private", "fileprivate", "static", "class"])
    }
}

extension ControllerStub {
    private mutating func findEvents() {
        for stored in kept {
            guard let closure = ClosureType(stored.type) else { continue }
            addEvent(of: closure, named: stored.name, calling: stored.name.swiftIdentifier)
        }
        for part in subject.parts { findEventsOfControls(in: part) }
        for part in subject.parts { findEventsOfCalls(in: part) }
    }

    private mutating func add(_ event: Event) {
        guard let other = events.first(where: { $0.name == event.name }) else { return events.append(event) }
        if other.call != event.call {
            remark("no event for `\(event.call)`, because another event is called `\(event.name)`")
        }
    }

    private mutating func addEvent(of closure: ClosureType, named name: String, calling call: String) {
        guard closure.parameters.allSatisfy({ SimpleType($0.type) != nil }) else {
            return remark("no event for `\(call)(…)`, because a parameter has a type that is not simple")
        }
        let arguments = closure.parameters.map(\.name.swiftIdentifier).joined(separator: ", ")
        let mark = closure.isOptional ? "?" : ""
        add(Event(name: name, parameters: closure.parameters, call: "\(call)\(mark)(\(arguments))"))
    }

    private mutating func findEventsOfControls(in part: ClassOutline) {
        for method in part.methods where isTarget(method) {
            let calls = partnerCalls(in: method.body, of: part, atLeastDeep: 0)
            for call in calls { add(call) }
            guard calls.isEmpty, !callsClosure(in: method.body, of: part) else { continue }
            if let call = Self.navigation(in: part.tokens[method.body]) {
                add(Event(name: method.name, parameters: [], call: call))
            } else {
                remark("no event for `\(method.name)()`; write the statements of this method into `handle(_:)`")
            }
        }
    }

    private mutating func findEventsOfCalls(in part: ClassOutline) {
        guard subject.kind == .controller else {
            for call in partnerCalls(in: part.body, of: part, atLeastDeep: 0) { add(call) }
            return
        }
        for method in part.methods where !isTarget(method) {
            // The user causes no call of a life-cycle method itself, but may cause the calls in the method's closures.
            let isOfTable = ["collectionView", "tableView"].contains(method.name)
            let depth = method.modifiers.contains("override") && !isOfTable ? 1 : 0
            for call in partnerCalls(in: method.body, of: part, atLeastDeep: depth) { add(call) }
        }
    }

    private func callsClosure(in range: Range<Int>, of part: ClassOutline) -> Bool {
        kept.contains { stored in
            ClosureType(stored.type) != nil && range.contains { part.tokens[$0].isName(stored.name) }
        }
    }

    /// Returns the only statement of a body if it leaves the screen, such as `dismiss(animated: true)`.
    private static func navigation(in statements: ArraySlice<SwiftToken>) -> String? {
        let body = statements.dropFirst(statements.first?.isName("self") == true ? 2 : 0)
        let names = body.filter { $0.kind == .name }.map(\.text)
        guard let line = body.first?.line, body.allSatisfy({ $0.line == line }), body.last?.isMark(")") == true,
            ["dismiss", "navigationController"].contains(names.first), names.allSatisfy({ leaving.contains($0) }),
            body.allSatisfy({ $0.kind == .name || ["(", ")", ".", "?", ":", ","].contains($0.text) })
        else { return nil }
        return names.contains { $0.hasPrefix("pop") } ? "_ = \(body.source)" : body.source
    }

    private static let leaving: Set<String> = [
        "animated", "completion", "dismiss", "false", "navigationController", "nil", "popToRootViewController",
        "popViewController", "true",
    ]

    /// Returns whether a control or a bar button calls a method.
    private func isTarget(_ method: ClassOutline.MemberFunction) -> Bool {
        guard method.parameters.count < 2 else { return false }
        if method.modifiers.contains("@objc") || method.modifiers.contains("@IBAction") { return true }
        return subject.parts.contains { part in
            part.body.contains { index in
                let token = part.tokens[index]
                guard token.isName("action") || token.isName("selector") else { return false }
                // `action: Type.method`, `#selector(method)`, `#selector(Type.method)`.
                return part.tokens[index...].prefix(6).contains { $0.isName(method.name) }
            }
        }
    }

    private mutating func partnerCalls(
        in range: Range<Int>, of part: ClassOutline, atLeastDeep least: Int
    ) -> [Event] {
        var calls: [Event] = []
        var depth = 0
        for index in range {
            let token = part.tokens[index]
            if token.isMark("{") { depth += 1 }
            if token.isMark("}") { depth -= 1 }
            guard depth >= least, token.kind == .name else { continue }
            if let partner = partners.first(where: { $0.name == token.text }) {
                calls += self.calls(of: partner, at: index, in: part.tokens)
            } else if let partner = partners.first(where: { "$\($0.name)" == token.text }),
                let event = binding(to: partner, at: index, in: part.tokens)
            {
                calls.append(event)
            }
        }
        return calls
    }

    /// Returns the event that sets a property to which a SwiftUI control is bound, such as `$viewModel.query`.
    private mutating func binding(to partner: StubSubject.Stored, at index: Int, in tokens: [SwiftToken]) -> Event? {
        guard index + 2 < tokens.count, tokens[index + 1].isMark("."),
            tokens[index + 2].kind == .name
        else { return nil }
        let name = tokens[index + 2].text
        guard let property = declaration(of: partner)?.properties.first(where: { $0.name == name }) else {
            remark("no event for `$\(partner.name).\(name)`, because these files do not declare the property")
            return nil
        }
        guard property.keyword == "var", Self.isAccessible(property.modifiers),
            property.modifiers.isDisjoint(with: ["private(set)", "fileprivate(set)"])
        else { return nil }
        guard SimpleType(property.type) != nil else {
            remark("no event for `$\(partner.name).\(name)`, because \(Self.problem(ofType: property.type))")
            return nil
        }
        return Event(
            name: "set\(name.prefix(1).uppercased())\(name.dropFirst())",
            parameters: [ClassOutline.Parameter(label: nil, name: name, type: property.type)],
            call: "\(partner.name).\(name.swiftIdentifier) = \(name.swiftIdentifier)")
    }

    /// Returns the calls of a partner's method, such as `viewModel.login(…)`: one for each method that matches the
    /// call's labels.
    private mutating func calls(
        of partner: StubSubject.Stored, at index: Int, in tokens: [SwiftToken]
    ) -> [Event] {
        var place = index + 1
        if place < tokens.count, tokens[place].isMark("?") || tokens[place].isMark("!") { place += 1 }
        guard place + 2 < tokens.count, tokens[place].isMark("."), tokens[place + 1].kind == .name else { return [] }
        let (name, receiver, declaration) = (tokens[place + 1].text, Self.receiver(partner), declaration(of: partner))
        if let property = declaration?.properties.first(where: { $0.name == name }) {
            if let declaration, tokens[place + 2].isMark("."), isSend(at: place + 3, in: tokens) {
                let close = tokens.end(ofBlockAt: place + 4)
                let value = tokens[(place + 5)..<max(place + 5, close)]
                return sending(value, through: property, of: declaration, "\(receiver).\(name.swiftIdentifier).send")
            }
            if let closure = ClosureType(property.type), Self.isAccessible(property.modifiers) {
                addEvent(of: closure, named: name, calling: "\(receiver).\(name.swiftIdentifier)")
            }
            return []
        }
        let methods = declaration?.methods.filter { $0.name == name && Self.isAccessible($0.modifiers) } ?? []
        let hasClosure = tokens[place + 2].isMark("{") && !tokens.opensBody(ofStatementAt: place + 2)
        guard tokens[place + 2].isMark("(") || hasClosure else {
            // A reference such as `action: viewModel.close`.
            return methods.filter(\.parameters.isEmpty).prefix(1).compactMap { event(name, of: $0, partner) }
        }
        guard inputs?.method != name else { return [] }
        let labels = tokens[place + 2].isMark("(") ? tokens.labels(ofCallAt: place + 2) : []
        let called = Self.methods(of: methods, calledWith: labels)
        if called.isEmpty {
            remark("no event for `\(receiver).\(name)(…)`, because these files do not declare the method")
        }
        return called.compactMap { method in
            let types = called.count > 1 ? method.parameters.map { $0.type.filter(\.isLetter) } : []
            let labels = methods.count > 1 ? method.parameters.compactMap(\.label) : []
            let unique = (labels + types).reduce(name) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
            return event(unique, of: method, partner)
        }
    }

    /// Returns the event that sends a value through a subject, such as `viewModel.events.send(.saved)`.
    private mutating func sending(
        _ value: ArraySlice<SwiftToken>, through property: ClassOutline.Property, of owner: ClassOutline, _ call: String
    ) -> [Event] {
        guard Self.isAccessible(property.modifiers) else { return [] }
        guard let element = StubTypes.element(ofSubject: property) else {
            remark("no event for `\(call)(…)`, because `\(property.name)` is not declared as a subject of Combine")
            return []
        }
        if value.isEmpty { return [Event(name: property.name, parameters: [], call: "\(call)()")] }
        let (name, arguments) = (value.dropFirst().first, value.dropFirst(2))
        guard value.first?.isMark(".") == true, let name, name.kind == .name,
            arguments.isEmpty || arguments.first?.isMark("(") == true && arguments.last?.isMark(")") == true
        else {
            remark("no event for `\(call)(\(value.source))`; write an event for each value that this call sends")
            return []
        }
        let chosen = "\(call)(.\(name.text)"
        guard !arguments.isEmpty else { return [Event(name: name.text, parameters: [], call: "\(chosen))")] }
        guard let values = subject.types.associatedValues(of: name.text, in: element, of: owner) else {
            guard let literals = arguments.dropFirst().dropLast().plainArguments else {
                remark("no event for `\(call)(.\(name.text)(…))`, because these files do not declare \(element)")
                return []
            }
            return [Event(name: name.text, parameters: [], call: "\(chosen)(\(literals)))")]
        }
        let parameters = values.enumerated().map { number, value in
            let name = value.name == "_" ? (number == 0 ? "value" : "value\(number + 1)") : value.name
            return ClassOutline.Parameter(label: value.label, name: name, type: value.type)
        }
        if let unclear = parameters.first(where: { SimpleType($0.type) == nil }) {
            remark("no event for `\(call)(.\(name.text)(…))`, because \(unclear.type) is not a simple type")
            return []
        }
        let passed = parameters.map { parameter in
            (parameter.label.map { "\($0): " } ?? "") + parameter.name.swiftIdentifier
        }
        return [
            Event(name: name.text, parameters: parameters, call: "\(chosen)(\(passed.joined(separator: ", "))))")
        ]
    }

    private static func receiver(_ partner: StubSubject.Stored) -> String {
        partner.name.swiftIdentifier + (partner.type.hasSuffix("?") ? "?" : "")
    }

    private mutating func event(
        _ unique: String, of method: ClassOutline.MemberFunction, _ partner: StubSubject.Stored
    ) -> Event? {
        let call = "\(Self.receiver(partner)).\(method.name)"
        guard !method.effects.contains("async"), declaration(of: partner)?.kind != "actor" else {
            remark(
                "no event for `\(call)(…)`, because the method is asynchronous; write a method that returns at once "
                    + "and calls this one in a `Task`")
            return nil
        }
        // A delegate method has the sender as a parameter.
        let own = subject.kind == .controller ? subject.outline.name : nil
        let told = method.parameters.filter { $0.type != own }.enumerated().map { number, parameter in
            let name = parameter.name == "_" ? (number == 0 ? "value" : "value\(number + 1)") : parameter.name
            return ClassOutline.Parameter(label: parameter.label, name: name, type: parameter.type)
        }
        guard told.allSatisfy({ SimpleType($0.type) != nil }) else {
            remark("no event for `\(call)(…)`, because a parameter has a type that is not simple")
            return nil
        }
        var names = told.map(\.name.swiftIdentifier)[...]
        let arguments = method.parameters.map { parameter in
            let value = parameter.type == own ? "self" : names.popFirst() ?? "self"
            return parameter.label.map { "\($0): \(value)" } ?? value
        }
        let result = method.result == nil ? "" : "_ = "
        return Event(
            name: unique, parameters: told,
            call: "\(result)\(method.trying)\(call)(\(arguments.joined(separator: ", ")))")
    }

    /// Returns the methods of one name that a call with these labels may mean; a call may omit its last arguments.
    private static func methods(
        of methods: [ClassOutline.MemberFunction], calledWith labels: [String?]
    ) -> [ClassOutline.MemberFunction] {
        let exact = methods.filter { $0.parameters.map(\.label) == labels }
        if !exact.isEmpty { return exact }
        return Array((methods.filter { $0.parameters.map(\.label).starts(with: labels) } + methods).prefix(1))
    }
}

/// The inputs of a view model with `transform(input:)`.
extension ControllerStub {
    /// Finds a view model whose method takes a structure of streams, and gives each stream an event.
    private mutating func findInputs() {
        for partner in partners where subject.kind == .controller {
            guard let model = declaration(of: partner),
                let method = model.methods.first(where: { $0.name == "transform" && $0.parameters.count == 1 }),
                let parameter = method.parameters.first
            else { continue }
            guard !partner.isOptional else {
                remark("no call of `\(partner.name).transform`, because `\(partner.name)` may be nil in `viewDidLoad`")
                continue
            }
            let input = StubTypes.words(in: parameter.type).last ?? ""
            guard let fields = subject.types.nested(input, in: model.name)?.properties.filter(\.isStored) else {
                remark("no call of `\(partner.name).transform`, because \(input) is not declared in \(model.name)")
                continue
            }
            if let unclear = fields.first(where: { InputStream($0.type) == nil }) {
                remark(
                    "no call of `\(partner.name).transform`, because the type of its input `\(unclear.name)` is not understood"
                )
                continue
            }
            let streams = fields.compactMap { field in InputStream(field.type).map { (field.name, $0) } }
            relay(streams, to: partner, method, label: parameter.label, "\(model.name).\(input)", model.name)
        }
    }

    private mutating func relay(
        _ streams: [(name: String, stream: InputStream)], to partner: StubSubject.Stored,
        _ method: ClassOutline.MemberFunction, label: String?, _ input: String, _ model: String
    ) {
        guard inputs == nil else {
            return remark(
                "no call of `\(partner.name).transform`, because the replacement already calls another `transform`")
        }
        let arguments = streams.map { "\($0.name): \($0.name)Subject.\($0.stream.conversion)" }
        let call =
            "\(partner.name).transform(\(label.map { "\($0): " } ?? "")\(input)(\(arguments.joined(separator: ", "))))"
        var declarations = streams.map { "private let \($0.name)Subject = \($0.stream.subject)" }
        var statement = method.result == nil ? call : "_ = \(call)"
        if let result = method.result, subject.types.nested(result, in: model) != nil {
            declarations.append("private var outputs: \(model).\(result)?")
            statement = "outputs = \(call)"
            remark("the content has no values of `outputs`; subscribe to the streams of `outputs` in `viewDidLoad`")
        }
        inputs = RelayedInputs(method: method.name, declarations: declarations, statement: statement)
        for (name, stream) in streams {
            let parameters = stream.element.map { [ClassOutline.Parameter(label: nil, name: "value", type: $0)] } ?? []
            add(Event(name: name, parameters: parameters, call: "\(name)Subject.\(stream.send)"))
        }
    }
}
