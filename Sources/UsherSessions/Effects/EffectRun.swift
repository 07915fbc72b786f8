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

/// The name under which an effect runs, for those whom it asks: the same when it runs again, and of no other session.
enum EffectKey {
    /// - Parameters:
    ///   - id: The effect's name within its session.
    ///   - salt: The session's random bits; its id stays unknown, for it is the key to the session.
    static func text(_ id: EffectID, salt: UInt64) -> String {
        let first = mix(salt ^ mix(UInt64(truncatingIfNeeded: id.revision)))
        let second = mix(first ^ mix(UInt64(truncatingIfNeeded: id.index) ^ salt))
        return digits(first) + digits(second)
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

// Why an effect has no output that has not failed by itself.
extension EffectFailure {
    /// It took too long.
    static let timeout = EffectFailure(code: "timeout", message: "the work took too long")

    /// It is the work of the session that this one is a copy of.
    static let forked = EffectFailure(
        code: "forked", message: "it was under way in the session that this one is a copy of")

    /// The app's services could not be made.
    static let unreachable = EffectFailure(code: "services", message: "the app's services cannot be reached")
}

extension InputContent {
    /// The effect or timer whose result it is.
    var result: EffectID? {
        switch self {
        case .result(let id, _), .refused(let id, _), .timer(let id): id
        case .action, .message: nil
        }
    }
}

/// The apps' services, with which effects work: made once an app, when they are first needed.
final class Services: Sendable {
    private let made = Mutex<[String: any Sendable]>([:])

    /// The services of an app.
    ///
    /// - Throws: The error of the app's `services()`; it is asked again the next time.
    func services(of app: any App.Type) throws -> any Sendable {
        if let services = made.withLock({ $0[app.name] }) { return services }
        let services = try app.erasedServices()
        return made.withLock { made in
            let first = made[app.name] ?? services
            made[app.name] = first
            return first
        }
    }
}

extension App {
    fileprivate static func erasedServices() throws -> any Sendable { try services() }
}
