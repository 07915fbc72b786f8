import Programs

/// `strace`, which can kill a process at a call to the system, or let the call fail.
enum Tracing {
    /// Whether it is there and may trace: a container can forbid that.
    static let works = (try? Program.run(["strace", "-o", "/dev/null", "true"]))?.status == 0

    /// The beginning of a command whose process is killed at its n-th call; it stays the child of whoever starts it.
    static func command(killingAt point: Int, of call: String) -> [String] {
        [
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(point)",
        ]
    }

    /// The beginning of a command to whose process some calls fail.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - when: Which of them, such as `3`, or `3+` for all from the third on.
    static func command(failing call: String, when: String) -> [String] {
        [
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):error=EIO:when=\(when)",
        ]
    }
}
