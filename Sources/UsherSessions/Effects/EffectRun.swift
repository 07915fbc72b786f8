import Synchronization
import Usher
import UsherBytes

/// The closure of an effect, which can run only once.
///
/// A task retains the captures of its closure until the task ends, which is after the result was submitted. `EffectRun`
/// releases the effect's closure as soon as the closure has returned, so that a secret in the closure can be erased
/// earlier.
final class EffectRun: Sendable {
    typealias Body = @Sendable (_ services: any Sendable, _ id: String) async -> EffectOutcome

    private let body: Mutex<Body?>

    init(_ body: @escaping Body) {
        self.body = Mutex(body)
    }

    /// Runs the effect on the first call; later calls fail.
    func callAsFunction(_ services: any Sendable, _ id: String) async -> EffectOutcome {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        return await body?(services, id) ?? .failure(.unreachable)
    }
}

/// Creates the idempotency key that an effect passes to services.
///
/// If an effect runs again, it has the same key. Effects of other sessions have other keys.
enum EffectKey {
    /// Returns the key of an effect, with random bits instead of the session's id, because that id may grant access.
    static func text(_ id: EffectID, salt: UInt64) -> String {
        let first = mix(salt ^ mix(UInt64(truncatingIfNeeded: id.revision)))
        let second = mix(first ^ mix(UInt64(truncatingIfNeeded: id.index) ^ salt))
        return String(capacity: 32) { digits in
            digits.append(hexadecimal: first)
            digits.append(hexadecimal: second)
        }
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

// Failures that do not come from the effect's own code.
extension EffectFailure {
    static let timeout = EffectFailure(code: "timeout", message: "the work took too long")

    /// The effect was running in the original session, and the copy of the session does not run the effect again.
    static let forked = EffectFailure(
        code: "forked", message: "the effect was running in the session from which this session was copied")

    static let unreachable = EffectFailure(code: "services", message: "the app's services are not available")
}

extension InputContent {
    /// The effect or timer that produced this input; `nil` for other inputs.
    var result: EffectID? {
        switch self {
        case .result(let id, _), .refused(let id, _), .timer(let id): id
        case .action, .message: nil
        }
    }
}

/// The services of all apps, each created when an effect of the app first needs them.
final class Services: Sendable {
    private let made = Mutex<[String: any Sendable]>([:])

    /// Returns the services of an app.
    ///
    /// - Throws: The error of the app's `services()`; the next call then tries again.
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
