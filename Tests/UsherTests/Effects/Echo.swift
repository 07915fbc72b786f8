import Usher

/// An effect that returns its own value.
struct Echo: Effect {
    let text: String

    init(_ text: String = "") {
        self.text = text
    }

    func run(_ context: EffectContext<NoServices>) async throws -> String { text }
}

/// An effect that returns its id, and has its services count the runs.
struct CountEffect: Effect {
    struct Output: Codable, Equatable {
        var count: Int
        var id: String
    }

    func run(_ context: EffectContext<any Counting>) async throws -> Output {
        Output(count: context.services.next(), id: context.id)
    }
}

/// The services of `CountEffect`.
protocol Counting: Sendable {
    func next() -> Int
}

struct FixedCount: Counting {
    var count = 41
    func next() -> Int { count + 1 }
}

/// An effect that throws its own value.
struct Failing: Effect {
    let error: any Error

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { throw error }
}
