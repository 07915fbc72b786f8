import Synchronization
import Usher

/// The work of an effect, to be taken once.
///
/// A task holds all that its closure has until it ends, and that is after the result was handed in. What an effect was
/// given must be let go of before: a secret in it may be erased as soon as nobody holds it.
final class EffectRun: Sendable {
    typealias Body = @Sendable (_ services: any Sendable, _ id: String) async -> EffectOutcome

    private let body: Mutex<Body?>

    init(_ body: @escaping Body) {
        self.body = Mutex(body)
    }

    /// Runs it, the first time it is asked to.
    func callAsFunction(_ services: any Sendable, _ id: String) async -> EffectOutcome {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        return await body?(services, id) ?? .failure(.unreachable)
    }
}
