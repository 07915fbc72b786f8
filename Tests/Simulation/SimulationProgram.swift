import Glibc

/// The program `Simulation`: runs one seed after the other, and prints those that contradict the model.
///
/// The exit status is 1 if there is a contradiction.
@main
enum SimulationProgram {
    private static let usage = """
        usage: Simulation [--seed N] [--count N] [--bug NAME] [--trace]
          --seed N     the first seed (1)
          --count N    the number of seeds (1)
          --bug NAME   plants a bug: \(PlantedBug.allCases.map(\.rawValue).joined(separator: ", "))
          --trace      prints what happens
        """

    /// The options of the command line.
    private struct Options {
        var seed: UInt64 = 1
        var count: UInt64 = 1
        var bug: PlantedBug?
        var isTold = false

        /// - Returns: nil if the arguments are invalid.
        init?(_ arguments: ArraySlice<String>) {
            var rest = arguments
            while let option = rest.popFirst() {
                switch option {
                case "--seed":
                    guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                    seed = number
                case "--count":
                    guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                    count = number
                case "--bug":
                    guard let planted = rest.popFirst().flatMap(PlantedBug.init) else { return nil }
                    bug = planted
                case "--trace": isTold = true
                default: return nil
                }
            }
        }
    }

    /// The number of contradictions after which the program stops.
    private static let patience = 10

    static func main() {
        beDeterministic()
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print(usage)
            exit(2)
        }
        var failures = 0
        for seed in options.seed..<(options.seed + options.count) where failures < patience {
            let outcome = Simulation(seed: seed, bug: options.bug, isTold: options.isTold).run()
            if options.count <= 10 { print("seed \(seed): digest \(String(outcome.digest, radix: 16))") }
            guard let contradiction = outcome.contradiction else { continue }
            failures += 1
            print("seed \(seed): \(contradiction)")
        }
        print("\(options.count) seeds, \(failures) contradictions")
        if failures > 0 { print("again, with all that happens: swift run Simulation --seed SEED --trace") }
        exit(failures == 0 ? 0 : 1)
    }

    /// Restarts the program so that dictionaries and sets always have the same order.
    private static func beDeterministic() {
        guard unsafe getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
        unsafe setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        unsafe execv("/proc/self/exe", &arguments)
        unsafe perror("Simulation: cannot start anew")
        exit(2)
    }
}
