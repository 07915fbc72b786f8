package import Usher
package import UsherJSON

/// The report of a probe: the outcome of the input, and the state that it led to.
package struct ProbeReport: Codable, Sendable {
    /// A coordinator or view model that stayed in memory.
    package struct Leftover: Codable, Equatable, Sendable {
        /// The object's type.
        package let type: String
        /// The path of the coordinator when it left.
        package let coordinator: String
        /// The holder: a stored property's path, or a closure by file and line.
        package let holder: String?
        /// A Boolean value indicating whether the object stayed in memory after the session's end instead of the input.
        package let isOfEnd: Bool
    }

    /// The outcome.
    package let outcome: ProbeOutcome
    /// The reason in one sentence; empty if the input was accepted.
    package let reason: String
    /// Details for the app's author.
    package let cause: String?
    /// The input as it was finally handled, if it led to a state.
    package internal(set) var step: InputProbe.Step?
    /// The state that the input led to.
    package internal(set) var state: ReachedState?
    /// A Boolean value indicating whether a timer that had not fired was due at the input's time.
    package internal(set) var hasDueTimer = false
    /// The engine's warnings.
    package internal(set) var warnings: [String] = []
    /// The leaks.
    package internal(set) var leaks: [Leftover] = []
    /// The first difference between two walks that should be the same.
    package internal(set) var difference: String?
    /// The links that continue the link which was tried.
    package internal(set) var longerLinks: [OfferedInput] = []

    /// Creates the report of an input that has not led to a state yet.
    init(_ outcome: ProbeOutcome, _ reason: String = "", cause: String? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.cause = cause
    }

    /// The report as one line of JSON.
    package var json: String {
        var writer = JSONWriter()
        // The report contains only text and integers, which always encode.
        guard (try? writer.encode(self)) != nil else { return "{}" }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Decodes a report; throws if the JSON has another shape.
    package init(json: String) throws(JSONError) {
        self = try JSONDocument(parsing: Array(json.utf8)).root.decode(ProbeReport.self)
    }
}

/// The outcomes of an input.
package enum ProbeOutcome: String, Codable, Sendable {
    /// The input was accepted.
    case accepted
    /// The input reported what the session already knew, such as the pop of a screen that is gone.
    case unchanged
    /// A coordinator, a screen or the engine refused the input with a reason.
    case refused
    /// The app does not know the input: an example that does not decode.
    case unknown
    /// The input would exceed a limit.
    case limit
    /// A handler failed.
    case failed
    /// The inputs of the way led to another state than before.
    case differs
    /// The app does not open.
    case unopened
}

/// A state that a probe has reached.
package struct ReachedState: Codable, Sendable {
    /// The digest by which states are distinguished.
    package let shape: UInt64
    /// The digest of everything that the screens show; states with different contents can be the same state.
    package let contents: UInt64
    /// The state as an entry of the journal would record it.
    package let mark: StateMark
    /// All stacks, in the notation of tests.
    package let stacks: String
    /// The visible screen's name; nil if no screen is shown.
    package let screen: String?
    /// The places of all screens, the visible one last.
    package let places: [String]
    /// The names of the types of the screens in `places`.
    package let types: [String]
    /// A Boolean value indicating whether the session has ended.
    package let isEnded: Bool
    /// A Boolean value indicating whether a link waits.
    package let isLinkPending: Bool
    /// All inputs that can be tried next.
    package let offers: [OfferedInput]
    /// A sentence for each input that cannot be tried.
    package let gaps: [String]
}

/// An input that can be tried.
package struct OfferedInput: Codable, Sendable {
    /// The kind of the input.
    package let kind: Offer.Kind
    /// A description for people, without ids.
    package let label: String
    /// The input.
    package let step: InputProbe.Step
    /// The flow that a link ends with.
    package let flow: String?

    init(_ offer: Offer, at time: Timestamp) {
        kind = offer.kind
        label = offer.label
        step = InputProbe.Step(offer.content, at: max(time, offer.due ?? time))
        flow = offer.flow
    }
}
