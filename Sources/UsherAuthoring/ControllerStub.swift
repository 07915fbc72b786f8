import UsherBytes

/// A template that makes a view controller a screen with events, generated from its class.
///
/// An event is a method that the controller calls for the user on its view model, delegate or coordinator, or a method
/// of the controller that a control calls. The screen's contents are the controller's properties of simple types. The
/// author edits the template.
package struct ControllerStub {
    /// An error for a class of which no template can be made; the description is one sentence.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    private struct Event {
        let name: String
        let parameters: [ClassOutline.Parameter]
        let call: String
    }

    private let outline: ClassOutline
    /// The class and its extensions.
    private let parts: [ClassOutline]
    private let others: [String: ClassOutline]
    private var events: [Event] = []
    private var content: [(property: ClassOutline.Property, access: String)] = []
    /// Calls with parameters that no event can carry.
    private var remarks: [String] = []

    /// Finds a class in the files of a package, which are given by path.
    package init(of name: String, in files: [String: SwiftSource]) throws(Failure) {
        var found: [(path: String, outline: ClassOutline)] = []
        var extensions: [ClassOutline] = []
        var others: [String: ClassOutline] = [:]
        for (path, source) in files.sorted(by: { $0.key < $1.key }) {
            for outline in ClassOutline.all(in: source) {
                if outline.isDeclaration { others[outline.name] = outline }
                guard outline.name == name else { continue }
                guard !outline.supertypes.contains("ScreenController") else {
                    throw Failure(description: "\(name) is already a ScreenController: \(path):\(outline.line)")
                }
                if outline.isDeclaration { found.append((path, outline)) } else { extensions.append(outline) }
            }
        }
        guard let first = found.first else { throw Self.unknown(name, others) }
        guard found.count == 1 else {
            let places = found.map { "\($0.path):\($0.outline.line)" }.joined(separator: ", ")
            throw Failure(
                description: "there are several classes \(name): \(places); name the file of the one that you mean")
        }
        outline = first.outline
        parts = [first.outline] + extensions
        self.others = others
        findEvents()
        findContent()
    }

    private static func unknown(_ name: String, _ others: [String: ClassOutline]) -> Failure {
        let controllers = others.keys.filter { $0.hasSuffix("ViewController") }.sorted()
        let known = controllers.isEmpty ? "none" : controllers.prefix(8).joined(separator: ", ")
        return Failure(description: "there is no class \(name) here; view controllers here: \(known)")
    }

    /// The properties on which view controllers call methods for the user.
    private var partners: [ClassOutline.Property] {
        outline.properties.filter { property in
            Self.partnerNames.contains(property.name) || property.name.hasSuffix("Delegate")
        }
    }

    private static let partnerNames: Set<String> = [
        "viewModel", "presenter", "delegate", "coordinator", "interactor", "output", "listener", "router", "model",
    ]

    private mutating func findEvents() {
        for part in parts { findEventsOfControls(in: part) }
        for part in parts { findEventsOfCalls(in: part) }
    }

    private mutating func findEventsOfControls(in part: ClassOutline) {
        for method in part.methods where isTarget(method) {
            let calls = partnerCalls(in: method.body, of: part, atLeastDeep: 0)
            if calls.contains(where: { !$0.parameters.isEmpty }) {
                for call in calls { add(call) }
            } else {
                add(
                    Event(
                        name: method.name, parameters: [],
                        call: "\(method.trying)\(method.name)(\(Self.sender(of: method)))"))
            }
        }
    }

    private mutating func findEventsOfCalls(in part: ClassOutline) {
        for method in part.methods where !isTarget(method) {
            // A life-cycle method's own calls are not made for the user; those in its closures may be.
            let depth = method.modifiers.contains("override") ? 1 : 0
            for call in partnerCalls(in: method.body, of: part, atLeastDeep: depth) { add(call) }
        }
    }

    private mutating func add(_ event: Event) {
        if !events.contains(where: { $0.name == event.name }) { events.append(event) }
    }

    /// Returns whether a control or a bar button calls a method.
    private func isTarget(_ method: ClassOutline.MemberFunction) -> Bool {
        guard method.parameters.count < 2 else { return false }
        if method.modifiers.contains("@objc") || method.modifiers.contains("@IBAction") { return true }
        return parts.contains { part in
            part.body.contains { index in
                let token = part.tokens[index]
                guard token.isName("action") || token.isName("selector") else { return false }
                // `action: Type.method`, `#selector(method)`, `#selector(Type.method)`.
                return part.tokens[index...].prefix(6).contains { $0.isName(method.name) }
            }
        }
    }

    private static func sender(of method: ClassOutline.MemberFunction) -> String {
        guard let parameter = method.parameters.first else { return "" }
        let value = parameter.type.hasPrefix("UI") ? "\(parameter.type.filter { $0 != "?" && $0 != "!" })()" : "self"
        return parameter.label.map { "\($0): \(value)" } ?? value
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
            guard depth >= least, token.kind == .name, let partner = partners.first(where: { $0.name == token.text })
            else { continue }
            calls += self.calls(of: partner, at: index, in: part.tokens)
        }
        return calls
    }

    /// Returns the calls of a partner's method, such as `viewModel.login(…)` or `delegate?.didLogin(…)`.
    ///
    /// There is one for each method that matches the call's labels.
    private mutating func calls(
        of partner: ClassOutline.Property, at index: Int, in tokens: [SwiftToken]
    ) -> [Event] {
        var place = index + 1
        if place < tokens.count, tokens[place].isMark("?") || tokens[place].isMark("!") { place += 1 }
        guard place + 2 < tokens.count, tokens[place].isMark("."), tokens[place + 2].isMark("(") else { return [] }
        let name = tokens[place + 1].text
        let methods = others[Self.typeName(partner.type)]?.methods.filter { $0.name == name } ?? []
        let called = Self.methods(of: methods, calledWith: tokens.labels(ofCallAt: place + 2))
        guard !called.isEmpty else {
            remark("\(Self.receiver(partner)).\(name)(…): its type is not declared here")
            return []
        }
        return called.compactMap { method in
            let types = called.count > 1 ? method.parameters.map { $0.type.filter(\.isLetter) } : []
            let labels = methods.count > 1 ? method.parameters.compactMap(\.label) : []
            let unique = (labels + types).reduce(name) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
            return event(unique, of: method, partner)
        }
    }

    private static func receiver(_ partner: ClassOutline.Property) -> String {
        partner.name + (partner.type.hasSuffix("?") ? "?" : "")
    }

    private mutating func event(
        _ unique: String, of method: ClassOutline.MemberFunction, _ partner: ClassOutline.Property
    ) -> Event? {
        let call = "\(Self.receiver(partner)).\(method.name)"
        guard !method.effects.contains("async"), others[Self.typeName(partner.type)]?.kind != "actor" else {
            remark("\(call)(…): it is asynchronous; call it in a Task, in a method that returns at once")
            return nil
        }
        // A delegate method has the sender as a parameter.
        let told = method.parameters.filter { $0.type != outline.name }
        guard told.allSatisfy({ SimpleType($0.type) != nil }) else {
            remark("\(call)(…): a parameter has a type that is not simple")
            return nil
        }
        let arguments = method.parameters.map { parameter in
            let value = parameter.type == outline.name ? "self" : parameter.name.swiftIdentifier
            return parameter.label.map { "\($0): \(value)" } ?? value
        }
        return Event(
            name: unique, parameters: told, call: "\(method.trying)\(call)(\(arguments.joined(separator: ", ")))")
    }

    /// Returns the methods of one name that a call with these labels may mean; a call may omit arguments at its end.
    private static func methods(
        of methods: [ClassOutline.MemberFunction], calledWith labels: [String?]
    ) -> [ClassOutline.MemberFunction] {
        let exact = methods.filter { $0.parameters.map(\.label) == labels }
        if !exact.isEmpty { return exact }
        return Array((methods.filter { $0.parameters.map(\.label).starts(with: labels) } + methods).prefix(1))
    }

    private mutating func remark(_ text: String) {
        if !remarks.contains(text) { remarks.append(text) }
    }

    private mutating func findContent() {
        for property in outline.properties where isShown(property) { content.append((property, property.name)) }
        for partner in partners where !partner.type.hasSuffix("?") {
            for property in others[Self.typeName(partner.type)]?.properties ?? [] where isShown(property) {
                guard !property.modifiers.contains("private"),
                    !content.contains(where: { $0.property.name == property.name })
                else { continue }
                content.append((property, "\(partner.name).\(property.name)"))
            }
        }
    }

    private func isShown(_ property: ClassOutline.Property) -> Bool {
        !property.modifiers.contains("static") && property.isPlain && SimpleType(property.type) != nil
    }

    /// Returns the name in a type such as `any LoginDelegate?` or `LoginViewModel!`.
    private static func typeName(_ type: String) -> String {
        let words = type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        return words.first { $0 != "any" && $0 != "some" } ?? type
    }
}

extension ControllerStub {
    /// The template: a screen, and the extension of the class.
    package var text: String {
        var stem = outline.name[...]
        for suffix in ["Controller", "View"] where stem.hasSuffix(suffix) && stem.count > suffix.count {
            stem = stem.dropLast(suffix.count)
        }
        let screen = "\(stem)Screen"
        return (declaration(of: screen) + [""] + conformance(of: screen)).joined(separator: "\n")
    }

    private func declaration(of screen: String) -> [String] {
        var lines = [
            "/// What clients see of \(outline.name). Put this into the file of the class, and import Usher there."
        ]
        lines.append("struct \(screen): Screen, Equatable {")
        if !events.isEmpty {
            lines +=
                ["    enum Event: Codable {"] + events.map { "        case \(Self.declaration(of: $0))" } + [
                    "    }", "",
                ]
            lines.append("    static let examples: [Event] = [")
            lines += events.map { "        .\(Self.example(of: $0))," } + ["    ]", ""]
        }
        lines += ["    let title: String?"]
        lines += content.filter { $0.property.name != "title" }.map {
            "    let \($0.property.name): \($0.property.type)"
        }
        return lines + ["}"]
    }

    private func conformance(of screen: String) -> [String] {
        let members =
            ["title: title"]
            + content.filter { $0.property.name != "title" }.map { "\($0.property.name): \($0.access)" }
        var lines = ["extension \(outline.name): ScreenController {"]
        lines += ["    var content: \(screen) { \(screen)(\(members.joined(separator: ", "))) }"]
        if !events.isEmpty {
            lines += ["", "    func handle(_ event: \(screen).Event) throws {", "        switch event {"]
            lines += events.map { "        case \(Self.pattern(of: $0)): \($0.call)" } + ["        }", "    }"]
        }
        lines += remarks.map { "    // Not an event: \($0)." }
        return lines + ["}"]
    }

    private static func declaration(of event: Event) -> String {
        let name = event.name.swiftIdentifier
        guard !event.parameters.isEmpty else { return name }
        return "\(name)(\(event.parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")))"
    }

    private static func example(of event: Event) -> String {
        guard !event.parameters.isEmpty else { return event.name }
        let values = event.parameters.map { "\($0.name): \(SimpleType($0.type)?.example ?? "nil")" }
        return "\(event.name)(\(values.joined(separator: ", ")))"
    }

    private static func pattern(of event: Event) -> String {
        guard !event.parameters.isEmpty else { return ".\(event.name)" }
        return ".\(event.name)(\(event.parameters.map { "let \($0.name.swiftIdentifier)" }.joined(separator: ", ")))"
    }
}
