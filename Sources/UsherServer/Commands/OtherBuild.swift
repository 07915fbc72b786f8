import UsherProcess

/// Another build of this program: its command `states` prints the states of the same sessions.
struct OtherBuild {
    private let path: String
    private let arguments: [String]
    private let child: ReportingChild

    /// Starts an executable with the options that name the journal; throws `CommandFailure` if it cannot be started.
    init(_ path: String, on journal: [String]) throws(CommandFailure) {
        self.path = path
        arguments = ["states"] + journal
        var command = ChildCommand([path] + arguments)
        command.executable = path
        do throws(SystemError) { child = try ReportingChild(command) } catch {
            throw CommandFailure("--against: \(error)")
        }
    }

    /// Waits for the state of the next session; returns nil after the last session.
    ///
    /// - Throws: `CommandFailure` if the other build fails or does not have the command `states`.
    func next() throws(CommandFailure) -> ShownState? {
        switch child.next() {
        case .line(let line):
            if let state = ShownState(json: line) { return state }
            throw CommandFailure(
                "--against: \(path) printed a line that is not a state, so the executable is not a build of this program"
            )
        case .end(.exited(status: 0)): return nil
        case .end(let end):
            let words = ([path] + arguments).joined(separator: " ")
            throw CommandFailure("--against: the other build has ended with \(end); run \"\(words)\" to see why")
        }
    }

    /// The failure if the journal has sessions, but the other build printed none.
    var hasShownNothing: CommandFailure {
        CommandFailure("--against: \(path) printed no session; use a build that has the command \"states\"")
    }
}
