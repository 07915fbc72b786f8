import SampleBackend
import Usher

/// Wakes what rests, as soon as something does.
struct Wake: Effect {
    func run(_ context: EffectContext<Gate>) async throws -> NoOutput {
        await context.services.waiting(1)
        context.services.open()
        return NoOutput()
    }
}
