import Glibc

/// A child process that reports over its standard output, which the parent reads line by line.
package final class ReportingChild {
    /// The next event of a child.
    package enum Step: Equatable {
        case line(String)
        case end(ChildEnd)
    }

    private let conversation: ChildConversation
    private var lines = ReceivedLines()

    /// Starts a child, whose standard output is the connection to this process.
    package init(_ command: ChildCommand) throws(SystemError) {
        conversation = try ChildConversation(command)
    }

    /// Blocks the thread until the child has written a line, or has ended.
    package func next() -> Step {
        while true {
            if let step = next(within: -1) { return step }
        }
    }

    /// Blocks the thread until the child has written a line or has ended; nil if no whole line has arrived in time.
    ///
    /// - Parameter milliseconds: The longest time to wait; a negative value means no limit.
    package func next(within milliseconds: Int32) -> Step? {
        if let line = lines.next() { return .line(line) }
        switch conversation.next(within: milliseconds) {
        case .received(let bytes):
            lines.append(bytes)
            return lines.next().map { .line($0) }
        case .nothing: return nil
        case .end: return .end(conversation.process.wait())
        }
    }
}
