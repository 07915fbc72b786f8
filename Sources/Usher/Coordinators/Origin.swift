/// Where in an author's code a closure was given to the engine.
struct Origin: CustomStringConvertible {
    private let file: StaticString
    private let line: UInt

    init(_ file: StaticString, _ line: UInt) {
        self.file = file
        self.line = line
    }

    /// Such as `Shop/CartCoordinator.swift:42`.
    var description: String { "\(file):\(line)" }
}
