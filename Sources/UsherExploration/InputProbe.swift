package import Usher
package import UsherJSON

/// An input to try after a sequence of other inputs (the way), with everything that another process needs to try it.
package struct InputProbe: Codable, Sendable {
    /// An input that was handled or will be handled.
    package struct Step: Codable, Equatable, Sendable {
        /// The input in the journal's form; for an action, the body of `POST /sessions/{id}/events`.
        package let input: String
        /// The time of the input in milliseconds.
        package let time: Int64
        /// A Boolean value indicating whether a pending link continues to wait after the input.
        package let keepsLink: Bool
        /// The reason for which the input drops a pending link; nil if no link is dropped.
        package let droppedLink: String?
    }

    /// The opening of the session, with which all ways begin.
    package let opening: ExplorationOpening
    /// A Boolean value indicating whether states are also distinguished by the contents of their screens.
    package let includesStates: Bool
    /// The inputs that lead to the state; the app accepted each of them in an earlier probe.
    package let way: [Step]
    /// The digest of the shape of the state before the input; nil if the shape is unknown.
    package let shape: UInt64?
    /// The input to try; nil to examine the state itself.
    package let input: Step?
}

/// The opening of the session with which the exploration of an app begins.
package struct ExplorationOpening: Codable, Sendable {
    /// The app's name.
    package let app: String
    /// A JSON object, whose members replace the same members of the app's own options.
    package let options: String
    /// The seed of the session's random numbers.
    package let seed: UInt64
    /// The time of the opening in milliseconds since 1970.
    package let time: Int64
    /// The maximum number of screens that the session can show.
    package let screenLimit: Int

    /// Creates an opening; `options` is a JSON object such as `{"loggedIn":true}`, and `time` is in milliseconds.
    package init(
        app: String, options: String = "{}", seed: UInt64 = 1, time: Int64 = 0, screenLimit: Int = Limits().screens
    ) {
        self.app = app
        self.options = options
        self.seed = seed
        self.time = time
        self.screenLimit = screenLimit
    }

    /// Returns the limits of an app, with the limit of screens from this opening.
    func limits(of app: any App.Type) -> Limits {
        var limits = app.limits.bounded(by: Limits.usualStateLimit)
        limits.screens = min(limits.screens, screenLimit)
        return limits
    }
}

extension InputProbe {
    /// Decodes a probe; throws if the JSON does not have a probe's shape.
    package init(json: [UInt8]) throws(JSONError) {
        self = try JSONDocument(parsing: json).root.decode(InputProbe.self)
    }

    /// Returns the probe as JSON, for the process that makes the probe; throws for numbers that JSON cannot represent.
    package func json() throws(JSONError) -> [UInt8] {
        var writer = JSONWriter()
        try writer.encode(self)
        return writer.bytes
    }
}

extension InputProbe.Step {
    /// Creates a step from an input that has not been handled yet.
    init(_ content: InputContent, at time: Timestamp) {
        self.init(Input(content, at: time))
    }

    /// Creates a step from an input that has been handled.
    init(_ handled: Input) {
        var writer = JSONWriter()
        handled.write(into: &writer)
        input = String(decoding: writer.bytes, as: UTF8.self)
        time = handled.time.milliseconds
        keepsLink = handled.link == .keep
        droppedLink = if case .drop(let reason) = handled.link { reason } else { nil }
    }

    /// Returns the input that this step describes; throws if the step's text is not an input.
    package func handled() throws(JSONError) -> Input {
        let payload = try JSONDocument(written: Array(input.utf8)).root
        let link: LinkHandling = droppedLink.map { .drop($0) } ?? (keepsLink ? .keep : .follow)
        return try Input(payload: payload, at: Timestamp(milliseconds: time), link: link)
    }
}
