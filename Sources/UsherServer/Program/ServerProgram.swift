public import Usher
import UsherProcess

/// A server of your own: list its apps, mark it `@main`, and it has the whole command line.
///
/// ```swift
/// @main
/// enum CounterServer: ServerProgram {
///     static var apps: [any App.Type] { [CounterApp.self] }
/// }
/// ```
public protocol ServerProgram {
    /// The apps that sessions can be opened on; no two may have the same name.
    static var apps: [any App.Type] { get }
}

extension ServerProgram {
    /// Does what the command line asks for, and ends the process.
    @MainActor public static func main() async {
        // Before anything starts a thread: threads inherit the signals that are held back.
        let signals = TerminationSignals()
        let status = await Program(apps: apps, signals: signals).run(Array(CommandLine.arguments.dropFirst()))
        ProcessEnvironment.exit(status)
    }
}
