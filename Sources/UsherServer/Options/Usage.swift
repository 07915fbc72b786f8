/// What `--help` prints.
enum Usage {
    static let text = """
        Usher runs an app's navigation on the server: an event in, the new screen stack out.

        usage: usher serve [options]
               usher apps                                    the apps in this executable, with their options
               usher check [--journal …]                     the sessions that this build cannot restore
               usher replay SESSION [--journal …] [--to N]   a session's state, now or at revision N
               usher export SESSION [--journal …] [--as curl|swift]
                                                             a session as a script, or as a test
               usher --version
               usher --help

        check, replay and export read a journal that no server has open, or a copy that POST /admin/backup made.

        options of serve, each also as an environment variable (--max-sessions is USHER_MAX_SESSIONS):
        \(options)
        """

    private static var options: String {
        let lines = ServeOptions.all.all.map { option in
            (form: "--\(option.name) \(option.placeholder)", summary: option.summary)
        }
        let width = lines.map(\.form.count).max() ?? 0
        return lines.map { line in
            let gap = String(repeating: " ", count: width - line.form.count)
            return "  \(line.form)\(gap)  \(line.summary)"
        }.joined(separator: "\n")
    }
}
