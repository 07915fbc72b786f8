/// Thrown by a coordinator that will not do what it was asked: the client gets the reason with status 422, and the
/// session stays exactly as it was.
public struct Refusal: Error, Sendable {
    /// One sentence for the client.
    public let reason: String
    /// A word by which the client's program knows this refusal, such as `card-declined`; nil for none.
    public let code: String?

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - reason: One sentence for the client: why not, and what to do instead.
    ///   - code: A word by which the client's program knows this refusal from the app's others.
    public init(_ reason: String, code: String? = nil) {
        self.reason = reason
        self.code = code
    }
}

/// Why an input did not count.
public struct Rejection: Error, Sendable {
    /// The kinds of rejections, by what the input failed of.
    public enum Kind: Sendable {
        /// It speaks of a screen that is covered, gone, or was never there.
        case stale
        /// The visible screen has no such event, its payload does not decode, or back is not possible.
        case invalid
        /// A coordinator refused it with a reason.
        case refused
        /// It would show a screen that the client cannot draw.
        case undrawable
        /// It would cross a limit.
        case limit
        /// A handler failed.
        case failed
    }

    /// The kind, by what the input failed of.
    public let kind: Kind
    /// One sentence for the client: what was wrong and what to do.
    public let reason: String
    /// A refusal's word for programs, where its author has given one.
    public let code: String?
    /// More for the log than the reason; may hold an author's internals.
    public let cause: String?
    /// The screen that the client cannot draw, where that is why.
    package internal(set) var undrawable: UndrawableScreen?
    /// The other handling with which to try again, on a tree as it was before, where only a link was at fault.
    package internal(set) var retry: LinkHandling?

    /// Makes a rejection.
    ///
    /// - Parameters:
    ///   - kind: What the input failed of.
    ///   - reason: One sentence for the client.
    ///   - code: A refusal's word for programs.
    ///   - cause: What the log should say beyond the reason.
    public init(_ kind: Kind, _ reason: String, code: String? = nil, cause: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.code = code
        self.cause = cause
    }

    /// The rejection that an error in an author's code amounts to.
    init(_ error: any Error) {
        switch error {
        case let rejection as Rejection: self = rejection
        case let refusal as Refusal: self.init(.refused, refusal.reason, code: refusal.code)
        default: self.init(.failed, "a handler failed; the session is as it was before", cause: "\(error)")
        }
    }
}
