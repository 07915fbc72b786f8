package import Usher
package import UsherJSON

/// The report of a probe: the outcome of the input, and the state that the input led to.
package struct ProbeReport: Codable, Sendable {
    /// A coordinator or view model that stayed in memory.
    package struct Leftover: Codable, Equatable, Sendable {
        /// The object's type.
        package let type: String
        /// The path that the coordinator had when it left the tree.
        package let coordinator: String
        /// What holds the object: the path of a stored property, or the file and line of a closure; nil if not found.
        package let holder: String?
        /// A Boolean value indicating whether the object outlived the session; if false, it outlived the input.
        package let isOfEnd: Bool
    }

    /// The outcome of the input.
    package let outcome: ProbeOutcome
    /// The reason for the outcome in one sentence; empty if the input was accepted.
    package let reason: String
    /// Details of the reason for the app's author.
    package let cause: String?
    /// The input in the form in which it was finally handled; nil if the input led to no state.
    package internal(set) var step: InputProbe.Step?
    /// The state that the input led to; nil if the input led to no state.
    package internal(set) var state: ReachedState?
    /// A Boolean value indicating whether a timer that had not fired was due at the input's time.
    package internal(set) var hasDueTimer = false
    /// The engine's warnings about the input.
    package internal(set) var warnings: [String] = []
    /// The objects that stayed in memory.
    package internal(set) var leaks: [Leftover] = []
    /// The first difference between the results of two walks that should be equal; nil if there is no difference.
    package internal(set) var difference: String?
    /// The longer links that begin with the link that was tried.
    package internal(set) var longerLinks: [OfferedInput] = []

    init(_ outcome: ProbeOutcome, _ reason: String = "", cause: String? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.cause = cause
    }

    /// The report as one line of JSON.
    package var json: String {
        var writer = JSONWriter()
        // Encoding cannot fail, because a report contains only text and integers.
        guard (try? writer.encode(self)) != nil else { return "{}" }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Decodes a report; throws if the JSON does not have a report's shape.
    package init(json: String) throws(JSONError) {
        self = try JSONDocument(parsing: Array(json.utf8)).root.decode(ProbeReport.self)
    }
}

/// The possible outcomes of an input.
package enum ProbeOutcome: String, Codable, Sendable {
    /// The input was accepted.
    case accepted
    /// The input reported what the session already knew, such as the pop of a screen that is gone.
    case unchanged
    /// A coordinator, a screen or the engine refused the input with a reason.
    case refused
    /// The app does not know the input, because the example does not decode.
    case unknown
    /// The input would exceed a limit.
    case limit
    /// A handler failed.
    case failed
    /// When the inputs of the way were repeated, they led to another state than before.
    case differs
    /// The app does not open.
    case unopened
}

/// A state that a probe has reached.
package struct ReachedState: Codable, Sendable {
    /// The digest of the state's shape, by which states are distinguished.
    package let shape: UInt64
    /// The digest of everything that the screens show; one state can have several such contents.
    package let contents: UInt64
    /// The mark of the state, as an entry of the journal would record it.
    package let mark: StateMark
    /// All stacks, in the notation of tests.
    package let stacks: String
    /// The visible screen's name; nil if no screen is shown.
    package let screen: String?
    /// The places of all screens, with the visible screen last.
    package let places: [String]
    /// The type names of the screens in `places`, in the same order.
    package let types: [String]
    /// A Boolean value indicating whether the session has ended.
    package let isEnded: Bool
    /// A Boolean value indicating whether a link is pending.
    package let isLinkPending: Bool
    /// All inputs that can be tried in this state.
    package let offers: [OfferedInput]
    /// A sentence for each input that cannot be tried in this state.
    package let gaps: [String]
}

/// An input that can be tried.
package struct OfferedInput: Codable, Sendable {
    /// The kind of the input.
    package let kind: Offer.Kind
    /// A description of the input for people, without ids.
    package let label: String
    /// The input.
    package let step: InputProbe.Step
    /// If the input is a link, the flow with which the link ends.
    package let flow: String?

    init(_ offer: Offer, at time: Timestamp) {
        kind = offer.kind
        label = offer.label
        step = InputProbe.Step(offer.content, at: max(time, offer.due ?? time))
        flow = offer.flow
    }
}
