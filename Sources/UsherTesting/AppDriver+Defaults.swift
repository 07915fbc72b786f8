public import Usher

/// A driver whose server does the session's work, and keeps its clock.
extension AppDriver {
    /// Nothing: the server does it.
    public var work: [Work] { [] }

    /// None: it is the server's.
    public var now: Timestamp? { nil }

    /// Runs nothing.
    ///
    /// - Throws: Always.
    public func run(_ effect: Work) async throws -> EffectOutcome {
        throw Unsupported(description: "the server runs the effects")
    }

    /// Hands nothing over.
    ///
    /// - Throws: Always.
    public func handle(_ content: InputContent) throws -> Rejection? {
        throw Unsupported(description: "only clients' inputs can be handed to the server")
    }
}

/// What a driver cannot do.
struct Unsupported: Error, CustomStringConvertible {
    let description: String
}
