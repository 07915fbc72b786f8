package import Usher
package import UsherJSON

/// An input to be tried at the end of a way, with all that a process needs for it that knows nothing else.
package struct InputProbe: Codable, Sendable {
    /// An input as it was handled, or is to be.
    package struct Step: Codable, Equatable, Sendable {
        /// The journal's form of the input; of an action, the body of `POST /sessions/{id}/events`.
        package let input: String
        /// The time at which it comes, in milliseconds.
        package let time: Int64
        /// Set where a link waits on.
        package let keepsLink: Bool
        /// The reason for which a link is dropped.
        package let droppedLink: String?
    }

    /// The session from which all ways begin.
    package let opening: ExplorationOpening
    /// Set to tell screens' states apart, too.
    package let includesStates: Bool
    /// The inputs that lead to the state, each of which counted once.
    package let way: [Step]
    /// The shape of that state; nil where it is not known.
    package let shape: UInt64?
    /// The input to try; nil to look at the state itself.
    package let input: Step?
}

/// The opening of the session that an app is explored from.
package struct ExplorationOpening: Codable, Sendable {
    /// The app's name.
    package let app: String
    /// An object's text; each member replaces the one of the app's own options.
    package let options: String
    /// The seed of its random numbers.
    package let seed: UInt64
    /// The time at which it is opened, in milliseconds.
    package let time: Int64
    /// The screens that it can show.
    package let screenLimit: Int

    /// Makes an opening.
    ///
    /// - Parameters:
    ///   - app: The app's name.
    ///   - options: An object of options, such as `{"loggedIn":true}`.
    ///   - seed: The seed of its random numbers.
    ///   - time: The time in milliseconds.
    ///   - screenLimit: The screens that it can show.
    package init(
        app: String, options: String = "{}", seed: UInt64 = 1, time: Int64 = 0, screenLimit: Int = Limits().screens
    ) {
        self.app = app
        self.options = options
        self.seed = seed
        self.time = time
        self.screenLimit = screenLimit
    }

    /// The limits of an app, with so many screens at most.
    func limits(of app: any App.Type) -> Limits {
        var limits = app.limits.bounded(by: Limits.usualStateLimit)
        limits.screens = min(limits.screens, screenLimit)
        return limits
    }
}

extension InputProbe {
    /// Reads a probe.
    ///
    /// - Throws: `JSONError` for another shape.
    package init(json: [UInt8]) throws(JSONError) {
        self = try JSONDocument(parsing: json).root.decode(InputProbe.self)
    }

    /// The probe as JSON, for the process that makes it.
    ///
    /// - Throws: `JSONError` for numbers that no JSON has.
    package func json() throws(JSONError) -> [UInt8] {
        var writer = JSONWriter()
        try writer.encode(self)
        return writer.bytes
    }
}

extension InputProbe.Step {
    /// Makes a step of an input that is yet to be handled.
    init(_ content: InputContent, at time: Timestamp) {
        self.init(Input(content, at: time))
    }

    /// Makes a step of an input as it was handled.
    init(_ handled: Input) {
        var writer = JSONWriter()
        handled.write(into: &writer)
        input = String(decoding: writer.bytes, as: UTF8.self)
        time = handled.time.milliseconds
        keepsLink = handled.link == .keep
        droppedLink = if case .drop(let reason) = handled.link { reason } else { nil }
    }

    /// The input, to be handled.
    ///
    /// - Throws: `JSONError` for no input's text.
    package func handled() throws(JSONError) -> Input {
        let payload = try JSONDocument(written: Array(input.utf8)).root
        let link: LinkHandling = droppedLink.map { .drop($0) } ?? (keepsLink ? .keep : .follow)
        return try Input(payload: payload, at: Timestamp(milliseconds: time), link: link)
    }
}
