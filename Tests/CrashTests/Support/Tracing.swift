import Programs

/// `strace`, which can kill a process at a system call, or make the call fail.
enum Tracing {
    /// Whether `strace` is installed and permitted, which a container can prevent.
    static let works = (try? Program.run(["strace", "-o", "/dev/null", "true"]))?.status == 0

    /// Returns the beginning of a command whose process is killed at its n-th call, and stays a child of this process.
    static func command(killingAt point: Int, of call: String) -> [String] {
        [
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(point)",
        ]
    }

    /// Returns the beginning of a command with failing system calls.
    ///
    /// - Parameters:
    ///   - call: The system call.
    ///   - when: The calls that fail, such as `3`, or `3+` for all from the third on.
    static func command(failing call: String, when: String) -> [String] {
        [
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):error=EIO:when=\(when)",
        ]
    }
}
