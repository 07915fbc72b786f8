import Glibc

/// A child process whose standard output is read line by line, as fast as its parent asks for lines.
package final class ReportingChild {
    /// The next thing that a child does.
    package enum Step: Equatable {
        /// It writes a line.
        case line(String)
        /// It ends.
        case end(ChildEnd)
    }

    private let conversation: ChildConversation
    private var lines = ReceivedLines()

    /// Starts a child.
    ///
    /// - Parameter command: The command; its standard streams are set here.
    /// - Throws: `SystemError`.
    package init(_ command: ChildCommand) throws(SystemError) {
        conversation = try ChildConversation(command)
    }

    /// Blocks the thread until the child has written a line, or has ended.
    package func next() -> Step {
        while true {
            if let line = lines.next() { return .line(line) }
            switch conversation.next(within: -1) {
            case .received(let bytes): lines.append(bytes)
            case .nothing: continue
            case .end: return .end(conversation.process.wait())
            }
        }
    }
}
