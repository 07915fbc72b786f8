import UsherBytes

extension ControllerStub {
    /// The replacement, as a file.
    package var text: String {
        let name = subject.outline.name
        var lines = ["// Replaces \(name) on Linux: exclude the original's file there."]
        lines += imports.map { "import \($0)" } + [""]
        if isShown { lines += screenDeclaration + [""] }
        for copy in copies { lines += copy + [""] }
        lines.append(heading)
        var blocks = [kept.map(declaration(of:)) + (inputs?.declarations ?? [])]
        blocks += initializers.map(self.lines(of:))
        if subject.kind == .controller, !initializers.isEmpty {
            blocks.append(["required init?(coder: NSCoder) { nil }"])
        }
        if let inputs {
            blocks.append(["override func viewDidLoad() {", "    super.viewDidLoad()", "    \(inputs.statement)", "}"])
        }
        if isShown { blocks += conformance }
        blocks.append(remarks.map { "// Check: \($0)." })
        let body = blocks.filter { !$0.isEmpty }.map { $0.map { "    \($0)" } }
        return (lines + body.joined(separator: [""]) + ["}"]).joined(separator: "\n")
    }

    private var heading: String {
        let outline = subject.outline
        guard subject.kind == .view else {
            let final = subject.types.hasSubclass(outline.name) ? "" : "final "
            return "\(final)class \(outline.name): UIViewController\(isShown ? ", ScreenController" : "") {"
        }
        let generic = outline.genericParameters.map { $0.name + ($0.constraint.map { ": \($0)" } ?? "") }
        let clause = generic.isEmpty ? "" : "<\(generic.joined(separator: ", "))>"
        return "struct \(outline.name)\(clause): \(isShown ? "ScreenView" : "View") {"
    }

    private func declaration(of stored: StubSubject.Stored) -> String {
        let property = stored.property
        let access = ["private", "fileprivate", "private(set)", "fileprivate(set)", "weak", "unowned"]
        var words = stored.wrapper.map { [$0] } ?? []
        words += access.filter { property.modifiers.contains($0) }
        let value = property.value.plainSource.map { " = \($0)" } ?? ""
        words.append("\(property.keyword) \(stored.name.swiftIdentifier): \(stored.type)\(value)")
        return words.joined(separator: " ")
    }

    private func lines(of initializer: StubSubject.Initializer) -> [String] {
        let parameters = initializer.parameters.map { parameter in
            let label = parameter.label == parameter.name ? "" : "\(parameter.label ?? "_") "
            let value = parameter.value.plainSource.map { " = \($0)" } ?? ""
            return "\(label)\(parameter.name): \(parameter.type)\(value)"
        }
        let effect = initializer.isThrowing ? " throws" : ""
        var lines = ["init\(initializer.isFailable ? "?" : "")(\(parameters.joined(separator: ", ")))\(effect) {"]
        lines += kept.compactMap { initializer.assignments[$0.name] }.map { "    \($0)" }
        if subject.kind == .controller { lines.append("    super.init(nibName: nil, bundle: nil)") }
        return lines + ["}"]
    }

    private var screenDeclaration: [String] {
        var lines = [
            "/// What clients see of \(subject.outline.name).", "struct \(screen): Screen, Equatable {",
        ]
        if !events.isEmpty {
            lines += ["    enum Event: Codable {"]
            lines += events.map { "        case \(Self.declaration(of: $0))" } + ["    }", ""]
            lines += ["    static let examples: [Event] = ["]
            lines += events.map { "        .\(Self.example(of: $0))," } + ["    ]"]
        }
        if !shown.isEmpty, !events.isEmpty { lines.append("") }
        return lines + shown.map { "    let \($0.name.swiftIdentifier): \($0.type)" } + ["}"]
    }

    /// The content, with the title that every controller has.
    private var shown: [Shown] {
        (subject.kind == .controller ? [Shown(name: "title", type: "String?", access: "title")] : []) + content
    }

    private var conformance: [[String]] {
        let members = shown.map { "\($0.name): \($0.access)" }.joined(separator: ", ")
        let content = ["var content: \(screen) { \(screen)(\(members)) }"]
        guard !events.isEmpty else { return [content] }
        let cases = events.map { "    case \(Self.pattern(of: $0)): \($0.call)" }
        return [
            content,
            ["func handle(_ event: \(screen).Event) throws {", "    switch event {"]
                + cases + ["    }", "}"],
        ]
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
