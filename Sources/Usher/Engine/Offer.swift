import UsherJSON

/// A possible next input for exploration, made from an author's examples.
package struct Offer: Sendable {
    /// The kinds of offers.
    package enum Kind: String, Codable, Sendable {
        case event, back, popped, dismissed, select, link, message, success, failure, timer

        /// A Boolean value indicating whether the input comes from the user or from the app's work, not from a link or
        /// a backend.
        package var isWithinApp: Bool { self != .link && self != .message }
    }

    /// The kind of the offer.
    package let kind: Kind
    /// A description for people, without ids, such as `login`, `back` or `signIn fails (wrongPassword)`.
    package let label: String
    /// The input.
    package let content: InputContent
    /// The time of the input; nil for now.
    package let due: Timestamp?
    /// The last flow of a link, such as `tabBar.chat`.
    package let flow: String?

    init(_ kind: Kind, _ label: String, _ content: InputContent, due: Timestamp? = nil, flow: String? = nil) {
        self.kind = kind
        self.label = label
        self.content = content
        self.due = due
        self.flow = flow
    }
}

/// The possible next inputs, and the gaps: inputs that exploration cannot try because examples are missing.
package struct OfferList: Sendable {
    /// The inputs, always in the same order.
    package private(set) var offers: [Offer] = []
    /// A sentence for each kind of input that exploration cannot try.
    package private(set) var gaps: [String] = []

    /// Creates a list of the possible next inputs.
    package init(of tree: Tree) {
        guard let root = tree.hierarchy.root, tree.ending == nil else { return }
        if let visible = tree.visible {
            let examples = visible.exampleEvents
            add(examples, of: "the screen \"\(visible.name)\"") { label, json in
                Offer(.event, label, .action(.event(screen: nil, event: json)))
            }
        }
        addGestures(in: tree.window)
        for work in tree.pendingWork.items { add(work, limit: tree.limits.outputBytes) }
        let type = Swift.type(of: root)
        if let host = type as? any FlowHost.Type { addLinks(to: host, after: []) }
        if let receiver = type as? any MessageReceiver.Type { addMessages(to: receiver) }
    }

    /// Creates a list of links that each continue the link of `content`, which the tree has followed, by one flow.
    ///
    /// The list is empty if that link did not lead to a host.
    package init(after content: InputContent, in tree: Tree) {
        guard case .action(.open(let steps)) = content, let host = tree.link.end, tree.link.pending == nil else {
            return
        }
        addLinks(to: host, after: steps)
    }

    private mutating func addGestures(in window: Window) {
        if case .impossible = window.back {} else { offers.append(Offer(.back, "back", .action(.back(screen: nil)))) }
        for screen in window.visible.screens.dropFirst().reversed() {
            offers.append(Offer(.popped, "pop \(screen.name)", .action(.popped(screen.id))))
        }
        for modal in window.modals.reversed() {
            guard modal.isClosedByUser, let first = modal.screens.first else { break }
            offers.append(Offer(.dismissed, "dismiss \(first.name)", .action(.dismissed(first.id))))
        }
        guard window.modals.isEmpty else { return }
        for tab in window.tabBar?.tabs ?? [] {
            offers.append(Offer(.select, "tab \(tab.name)", .action(.select(tab.name))))
        }
    }

    private mutating func add(_ work: PendingWork, limit: Int) {
        if let effect = work.source {
            addResults(of: effect, work, limit: limit)
        } else {
            offers.append(Offer(.timer, "timer", .timer(work.id), due: work.work?.due))
        }
    }

    private mutating func addResults<E: Effect>(of effect: E, _ work: PendingWork, limit: Int) {
        let examples = effect.examples
        var count = 0
        for example in examples {
            guard let outcome = try? E.outcome(of: .success(example), limit: limit), case .success = outcome else {
                gaps.append("an example of the effect \"\(work.name)\" does not encode in \(limit) bytes")
                continue
            }
            count += 1
            let label = count == 1 ? "\(work.name) succeeds" : "\(work.name) succeeds (\(count))"
            offers.append(Offer(.success, label, .result(work.id, outcome)))
        }
        if examples.isEmpty {
            gaps.append("the effect \"\(work.name)\" has no examples, so its success was not tried")
        }
        for code in EffectFailure.commonCodes + E.failures {
            let failure = EffectFailure(code: code, message: "a failure that was tried: \(code)")
            offers.append(Offer(.failure, "\(work.name) fails (\(code))", .result(work.id, .failure(failure))))
        }
    }

    private mutating func addLinks<Host: FlowHost>(to host: Host.Type, after steps: [JSONValue]) {
        let way = steps.map { $0.caseNameAndPayload?.name ?? "" }
        add(WireExample.all(Host.examples), of: "the coordinator \"\(Host.name)\"") { label, json in
            let path = (way + [label]).joined(separator: ", ")
            let flow = "\(Host.name).\(json.caseNameAndPayload?.name ?? label)"
            return Offer(.link, "link \(path)", .action(.open(steps + [json])), flow: flow)
        }
    }

    private mutating func addMessages<Receiver: MessageReceiver>(to receiver: Receiver.Type) {
        add(WireExample.all(Receiver.messageExamples), of: "the coordinator \"\(Receiver.name)\"") { label, json in
            Offer(.message, "message \(label)", .message(json))
        }
        if Receiver.messageExamples.isEmpty {
            gaps.append("the coordinator \"\(Receiver.name)\" has no messageExamples, so no message was tried")
        }
    }

    /// Adds an offer for each example, and numbers further examples of the same case.
    private mutating func add(
        _ examples: [Result<WireExample, JSONError>], of owner: String, _ offer: (String, JSONValue) -> Offer
    ) {
        var counts: [String: Int] = [:]
        for example in examples {
            switch example {
            case .success(let example):
                let count = counts[example.label, default: 0] + 1
                counts[example.label] = count
                offers.append(offer(count == 1 ? example.label : "\(example.label) (\(count))", example.json))
            case .failure(let error): gaps.append("an example of \(owner) does not encode: \(error)")
            }
        }
    }
}

/// An event that has a label for people, because the event's name is not clear, as for screens of a library.
package protocol LabelledEvent {
    /// The label, such as `tap Members`.
    var label: String { get }
}

/// An author's example in the form in which a client sends it, with its secrets unmasked.
struct WireExample {
    /// The label for people: the value's own label, or else the name of the value's case; empty if the value is not an
    /// enum.
    let label: String
    let json: JSONValue

    private init(_ value: some Encodable) throws(JSONError) {
        var writer = JSONWriter()
        try writer.encodeRevealingSecrets(value)
        json = try JSONDocument(parsing: writer.bytes).root
        label = (value as? any LabelledEvent)?.label ?? json.caseNameAndPayload?.name ?? ""
    }

    /// Encodes examples; if an example does not encode, its element is the error.
    static func all<Value: Encodable>(_ values: [Value]) -> [Result<WireExample, JSONError>] {
        values.map { value in Result { () throws(JSONError) in try WireExample(value) } }
    }
}

extension App {
    /// The flows of all hosts that the app lists, such as `tabBar.chat`, each once.
    package static var flowNames: [String] {
        flowHosts.flatMap { host in names(of: host) }
    }

    private static func names<Host: FlowHost>(of host: Host.Type) -> [String] {
        host.flowTable.names.map { "\(host.name).\($0)" }
    }
}
