/// One option of a command: how it is written, and what it sets.
struct CommandOption<Options>: Sendable {
    typealias Setter = @Sendable (String, inout Options) throws(UsageError) -> Void

    /// Without the hyphens, such as `max-sessions`.
    let name: String
    /// What stands for the value in the usage, such as `N`.
    let placeholder: String
    /// What it does, in half a line.
    let summary: String
    /// Whether it may be given several times.
    private let isRepeatable: Bool
    private let set: Setter

    init(
        _ name: String, _ placeholder: String, _ summary: String,
        isRepeatable: Bool = false, set: @escaping Setter
    ) {
        self.name = name
        self.placeholder = placeholder
        self.summary = summary
        self.isRepeatable = isRepeatable
        self.set = set
    }

    /// The environment variable that says the same, such as `USHER_MAX_SESSIONS`.
    var variable: String {
        "USHER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    func read(_ value: String, into options: inout Options) throws(UsageError) {
        try set(value, &options)
    }

    /// Reads the environment's value; a repeatable option's stand there with commas between.
    func read(variable value: String, into options: inout Options) throws(UsageError) {
        do {
            guard isRepeatable else { return try set(value, &options) }
            for part in value.split(separator: ",") { try set(String(part), &options) }
        } catch {
            throw UsageError("\(variable) in the environment: \(error.reason)")
        }
    }
}
