import SampleBackend
import Usher

/// Work that takes until it is woken.
struct Rest: Effect {
    func run(_ context: EffectContext<Gate>) async throws -> NoOutput {
        await context.services.pass()
        return NoOutput()
    }
}

/// Wakes what rests, as soon as something does.
struct Wake: Effect {
    func run(_ context: EffectContext<Gate>) async throws -> NoOutput {
        await context.services.waiting(1)
        context.services.open()
        return NoOutput()
    }
}
