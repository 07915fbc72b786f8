import Usher

/// Gives back what it was made with.
struct Echo: Effect {
    let text: String

    init(_ text: String = "") {
        self.text = text
    }

    func run(_ context: EffectContext<NoServices>) async throws -> String { text }
}

/// Gives back the name under which it runs, from services that count how often.
struct CountEffect: Effect {
    struct Output: Codable, Equatable {
        var count: Int
        var id: String
    }

    func run(_ context: EffectContext<any Counting>) async throws -> Output {
        Output(count: context.services.next(), id: context.id)
    }
}

/// What `CountEffect` works with, whatever it is.
protocol Counting: Sendable {
    func next() -> Int
}

struct FixedCount: Counting {
    var count = 41
    func next() -> Int { count + 1 }
}

/// Throws what it was made with.
struct Failing: Effect {
    let error: any Error

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { throw error }
}
