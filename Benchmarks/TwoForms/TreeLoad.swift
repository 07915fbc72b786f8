import Usher
import UsherJSON

/// Sends inputs to a tree alone, to measure the engine and the module UIKit without sessions, journal and HTTP.
struct TreeLoad {
    /// The arguments are invalid.
    enum Failure: Error {
        case usage
    }

    private let app: any App.Type
    private let count: Int
    /// The inputs before the measured inputs.
    private let opening: [InputContent]
    private let inputs: [InputContent]

    /// Parses the arguments: the app, the count, and two lists of inputs as a client sends them, separated by a bar.
    ///
    /// - Throws: `Failure`, or an error for an invalid input.
    init(_ arguments: [String]) throws {
        guard arguments.count > 3, let count = Int(arguments[1]), count > 0, let bar = arguments.firstIndex(of: "|"),
            let app = ParcelServer.apps.first(where: { $0.name == arguments[0] })
        else { throw Failure.usage }
        self.app = app
        self.count = count
        opening = try arguments[2..<bar].map(Self.input)
        inputs = try arguments[(bar + 1)...].map(Self.input)
    }

    /// Measures five rounds, and prints the shortest one.
    func run() throws {
        let tree = try Tree(
            opening: app, options: Array("{}".utf8), seed: 1, time: Timestamp(milliseconds: 0))
        for input in opening { try handle(input, on: tree) }
        let rounds = try (0..<5).map { _ in
            try ContinuousClock().measure {
                for _ in 0..<count {
                    for input in inputs { try handle(input, on: tree) }
                }
            }
        }
        let least = rounds.min() ?? .zero
        print("measured nanoseconds=\(Int(least / .nanoseconds(1)) / (count * inputs.count))")
    }

    private func handle(_ input: InputContent, on tree: Tree) throws {
        _ = try tree.handle(Input(input, at: Timestamp(milliseconds: 0)))
    }

    private static func input(_ text: String) throws -> InputContent {
        .action(try InputAction(JSONDocument(parsing: Array(text.utf8)).root))
    }
}
