import Programs

/// Runs a program.
///
/// - Returns: Whether it ended well.
@discardableResult
func run(_ command: String...) -> Bool {
    (try? Program.run(command))?.status == 0
}
