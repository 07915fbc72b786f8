/// Why an effect has no output.
///
/// An effect throws one; the closure of its coordinator gets it.
public struct EffectFailure: Error, Codable, Sendable {
    /// A word for the program, such as `wrongPassword`.
    ///
    /// The engine's own are `cancelled`, `failed`, `services` and `tooLarge`; a server's also `timeout` and `forked`.
    public let code: String
    /// One sentence for people.
    public let message: String
    /// More for the log than the message; may hold an author's internals, and is never journalled or sent.
    package private(set) var cause: String?

    private enum CodingKeys: String, CodingKey { case code, message }

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: A word for the program.
    ///   - message: One sentence for people.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

extension EffectFailure: Equatable {
    /// True where two say the same.
    public static func == (left: EffectFailure, right: EffectFailure) -> Bool {
        (left.code, left.message) == (right.code, right.message)
    }
}

extension EffectFailure {
    /// The failure that an error amounts to which an effect has thrown.
    init(_ error: any Error) {
        switch error {
        case let failure as EffectFailure: self = failure
        case is CancellationError: self.init(code: "cancelled", message: "the work was cancelled")
        default:
            self.init(code: "failed", message: "the work failed")
            cause = "\(error)"
        }
    }

    /// An app whose services are not what its effect works with.
    static func services(needed: Any.Type, found: Any.Type) -> EffectFailure {
        var failure = EffectFailure(code: "services", message: "the app has not the services that the work needs")
        failure.cause = "the effect works with \(needed), but the app's services are \(found)"
        return failure
    }

    /// A result beyond the limit.
    static func tooLarge(limit: Int) -> EffectFailure {
        EffectFailure(code: "tooLarge", message: "the work's result is larger than \(limit) bytes")
    }

    /// As it comes out of the journal.
    var withoutCause: EffectFailure { EffectFailure(code: code, message: message) }
}
