import SampleBackend
import Usher

/// An effect that ends when it is woken.
struct Rest: Effect {
    func run(_ context: EffectContext<Gate>) async throws -> NoOutput {
        await context.services.pass()
        return NoOutput()
    }
}

/// An effect that wakes a `Rest`, as soon as one waits.
struct Wake: Effect {
    func run(_ context: EffectContext<Gate>) async throws -> NoOutput {
        await context.services.waiting(1)
        context.services.open()
        return NoOutput()
    }
}
