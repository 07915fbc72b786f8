import Programs

/// Runs a program.
///
/// - Returns: Whether it succeeded.
@discardableResult
func run(_ command: String...) -> Bool {
    (try? Program.run(command))?.status == 0
}
