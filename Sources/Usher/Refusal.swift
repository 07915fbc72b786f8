/// An error that a coordinator throws to refuse an input.
///
/// The client gets the reason with status 422, and the session is unchanged.
public struct Refusal: Error, Sendable {
    /// One sentence for the client.
    public let reason: String
    /// A code by which a client's program recognizes this refusal, such as `card-declined`; nil for no code.
    public let code: String?

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - reason: One sentence for the client: why the input is refused, and what to do instead.
    ///   - code: A code by which a client's program distinguishes this refusal from others.
    public init(_ reason: String, code: String? = nil) {
        self.reason = reason
        self.code = code
    }
}

/// The reason why an input was not accepted.
public struct Rejection: Error, Sendable {
    /// The kinds of rejections.
    public enum Kind: Sendable {
        /// The input names a screen that is covered, was removed, or never existed.
        case stale
        /// The visible screen has no such event, the event's payload does not decode, or the user cannot go back.
        case invalid
        /// A coordinator refused the input with a reason.
        case refused
        /// The input would show a screen that the client cannot draw.
        case undrawable
        /// The input would exceed a limit.
        case limit
        /// A handler failed.
        case failed
    }

    /// The kind of the rejection.
    public let kind: Kind
    /// One sentence for the client: what was wrong, and what to do.
    public let reason: String
    /// The code of a refusal for programs; nil if the refusal has no code.
    public let code: String?
    /// Details for the log, possibly with internals of the app.
    public let cause: String?
    /// The screen that the client cannot draw, if that is the reason.
    package internal(set) var undrawable: UndrawableScreen?
    /// How a link must be handled when the input is tried again; nil if the rejection was not because of a link.
    package internal(set) var retry: LinkHandling?

    /// Creates a rejection.
    ///
    /// - Parameters:
    ///   - kind: The kind of the rejection.
    ///   - reason: One sentence for the client.
    ///   - code: A refusal's code for programs.
    ///   - cause: Details for the log.
    public init(_ kind: Kind, _ reason: String, code: String? = nil, cause: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.code = code
        self.cause = cause
    }

    /// Creates the rejection for an error that app code threw.
    init(_ error: any Error) {
        switch error {
        case let rejection as Rejection: self = rejection
        case let refusal as Refusal: self.init(.refused, refusal.reason, code: refusal.code)
        default: self.init(.failed, "a handler failed; the session is unchanged", cause: "\(error)")
        }
    }
}
