/// What `--help` prints.
enum Usage {
    static let text = """
        Usher runs an app's navigation on the server: an event in, the new screen stack out.

        usage: usher serve [options]
               usher apps       the apps in this executable, with their options
               usher --version
               usher --help

        options of serve, each also as an environment variable (--max-sessions is USHER_MAX_SESSIONS):
        \(options)
        """

    private static var options: String {
        let lines = ServeOption.all.map { option in
            (form: "--\(option.name) \(option.placeholder)", summary: option.summary)
        }
        let width = lines.map(\.form.count).max() ?? 0
        return lines.map { line in
            let gap = String(repeating: " ", count: width - line.form.count)
            return "  \(line.form)\(gap)  \(line.summary)"
        }.joined(separator: "\n")
    }
}
