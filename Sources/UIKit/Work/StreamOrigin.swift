/// The session in which a stream was created; only its inputs, whose time the journal records, may feed the stream.
struct StreamOrigin: Sendable {
    let queue: MainQueue
    let place: String

    /// Creates the origin; nil outside of a session.
    init?(_ file: StaticString, _ line: UInt) {
        guard let session = UIKitSession.current else { return nil }
        queue = session.queue
        place = "\(file):\(line)"
    }

    /// Returns `true` if the session is handling an input; in all other cases, makes the next input fail.
    func allows(_ call: String, _ file: StaticString, _ line: UInt) -> Bool {
        guard !queue.thread.isCurrent else { return true }
        queue.misuses.refuse(
            TaskMisuse.foreign("\(call) at \(file):\(line)", origin: "the stream created at \(place)"))
        return false
    }
}

/// A wait for an element of a stream that the session of the current task feeds.
struct StreamWait {
    private let task: RunningTask
    private let isClosed: Bool

    /// Begins a wait; nil if the session does not feed the stream.
    init?(_ origin: StreamOrigin?) {
        guard let origin, UIKitSession.current?.queue === origin.queue, let task = RunningTask.current else {
            return nil
        }
        self.task = task
        isClosed = origin.queue.hasClosed
        task.beginWait()
    }

    /// Suspends a task forever if the task has used up the waits that are allowed after the session's end.
    nonisolated(nonsending) func begin() async {
        guard isClosed, !task.takeLastWait() else { return }
        await unsafe withUnsafeContinuation(isolation: #isolation) { (_: UnsafeContinuation<Void, Never>) in }
    }

    func end() { task.endWait() }
}
