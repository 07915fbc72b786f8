package import Usher
package import UsherJSON

/// The report of a probe: what came of the input, and where it led.
package struct ProbeReport: Codable, Sendable {
    /// A coordinator or view model that was left in memory.
    package struct Leftover: Codable, Equatable, Sendable {
        /// Its type.
        package let type: String
        /// The path of the coordinator when it left.
        package let coordinator: String
        /// Its holder: a stored property's path, or a closure by file and line.
        package let holder: String?
        /// Set where it was left by the end of the session, and not by the input.
        package let isOfEnd: Bool
    }

    /// The outcome.
    package let outcome: ProbeOutcome
    /// Why, in one sentence; empty for one that counted.
    package let reason: String
    /// More than that for the app's author.
    package let cause: String?
    /// The input as it was handled at last, where it led somewhere.
    package internal(set) var step: InputProbe.Step?
    /// The state that it led to.
    package internal(set) var state: ReachedState?
    /// Set where a timer was due by then that had not come before.
    package internal(set) var hasDueTimer = false
    /// The engine's warnings.
    package internal(set) var warnings: [String] = []
    /// The leaks.
    package internal(set) var leaks: [Leftover] = []
    /// The first texts in which two walks differ that should be the same.
    package internal(set) var difference: String?
    /// The links that go on from this one.
    package internal(set) var longerLinks: [OfferedInput] = []

    /// Makes the report of an input that has led nowhere yet.
    init(_ outcome: ProbeOutcome, _ reason: String = "", cause: String? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.cause = cause
    }

    /// The report as one line of JSON.
    package var json: String {
        var writer = JSONWriter()
        // All of it is text and whole numbers, which encode.
        guard (try? writer.encode(self)) != nil else { return "{}" }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads a line.
    ///
    /// - Throws: `JSONError` for another shape.
    package init(json: String) throws(JSONError) {
        self = try JSONDocument(parsing: Array(json.utf8)).root.decode(ProbeReport.self)
    }
}

/// The outcomes of an input that was tried.
package enum ProbeOutcome: String, Codable, Sendable {
    /// It counted.
    case accepted
    /// It was known already.
    case unchanged
    /// A coordinator, a screen or the engine refused it with a reason.
    case refused
    /// It is none that the app knows: an example that does not decode.
    case unknown
    /// It would cross a limit.
    case limit
    /// A handler failed.
    case failed
    /// The way to it led elsewhere than before.
    case differs
    /// The app does not open.
    case unopened
}

/// A state that a probe has come to.
package struct ReachedState: Codable, Sendable {
    /// The digest by which states are told apart.
    package let shape: UInt64
    /// The digest of everything that the screens show.
    ///
    /// Does not distinguish states.
    package let contents: UInt64
    /// Its mark in a journal.
    package let mark: StateMark
    /// All stacks, as tests write them.
    package let stacks: String
    /// The visible screen's name; nil where no screen is shown.
    package let screen: String?
    /// The places of all screens, the visible one last.
    package let places: [String]
    /// The names of these screens' types.
    package let types: [String]
    /// Set once the session has ended.
    package let isEnded: Bool
    /// Set while a link waits.
    package let isLinkPending: Bool
    /// All that can be tried next.
    package let offers: [OfferedInput]
    /// A sentence for each thing that cannot be tried.
    package let gaps: [String]
}

/// An input that can be tried.
package struct OfferedInput: Codable, Sendable {
    /// The source.
    package let kind: Offer.Kind
    /// For people, without ids.
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
