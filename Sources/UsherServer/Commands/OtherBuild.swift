import UsherProcess

/// Another build of this program, which shows the states of the same sessions by its command `states`.
struct OtherBuild {
    private let path: String
    private let arguments: [String]
    private let child: ReportingChild

    /// Starts the other build.
    ///
    /// - Parameters:
    ///   - path: Its executable.
    ///   - journal: The options that name the journal.
    /// - Throws: `CommandFailure` if it cannot be started.
    init(_ path: String, on journal: [String]) throws(CommandFailure) {
        self.path = path
        arguments = ["states"] + journal
        var command = ChildCommand([path] + arguments)
        command.executable = path
        do throws(SystemError) { child = try ReportingChild(command) } catch {
            throw CommandFailure("--against: \(error)")
        }
    }

    /// Waits for the state of the next session.
    ///
    /// - Returns: Nil once the other build has shown all.
    /// - Throws: `CommandFailure` if it fails, or if it is no build that has the command.
    func next() throws(CommandFailure) -> ShownState? {
        switch child.next() {
        case .line(let line):
            if let state = ShownState(json: line) { return state }
            throw CommandFailure(
                "--against: \(path) has printed a line that is no state, so it is no build of this program")
        case .end(.exited(status: 0)): return nil
        case .end(let end):
            let words = ([path] + arguments).joined(separator: " ")
            throw CommandFailure("--against: the other build has ended with \(end); run \"\(words)\" to see why")
        }
    }

    /// The failure of a build that has shown nothing of a journal with sessions.
    var hasShownNothing: CommandFailure {
        CommandFailure("--against: \(path) has shown no session, so it is no build that has the command states")
    }
}
