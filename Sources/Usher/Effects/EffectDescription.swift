/// What is the same for all effects of a type.
final class EffectDescription: Sendable {
    let name: String

    init(name: String) {
        self.name = name
    }
}
