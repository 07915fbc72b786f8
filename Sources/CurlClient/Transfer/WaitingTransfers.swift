/// What the tasks of the process have to tell the loop's thread.
struct WaitingTransfers {
    /// What a transfer ends in.
    typealias Continuation = CheckedContinuation<Result<(status: Int, body: [UInt8]), CurlError>, Never>

    /// A request that nobody has taken up yet.
    struct Arrival {
        let id: Int
        let request: TransferRequest
        let continuation: Continuation
    }

    private var arrived: [Arrival] = []
    private var cancelled: [Int] = []
    private var lastID = 0
    private var isRunning = false

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// - Returns: whether a thread must be started, because none is there.
    mutating func add(_ arrival: Arrival) -> Bool {
        arrived.append(arrival)
        defer { isRunning = true }
        return !isRunning
    }

    /// - Returns: the request's continuation, if nobody has taken it up yet; the thread is told of any other.
    mutating func cancel(_ id: Int) -> Continuation? {
        guard let index = arrived.firstIndex(where: { $0.id == id }) else {
            if isRunning { cancelled.append(id) }
            return nil
        }
        return arrived.remove(at: index).continuation
    }

    /// Takes all that is there.
    ///
    /// - Parameter isIdle: Whether the thread has nothing under way.
    /// - Returns: nil where there is nothing to do any more: the thread has to end.
    mutating func take(isIdle: Bool) -> (arrived: [Arrival], cancelled: [Int])? {
        defer { (arrived, cancelled) = ([], []) }
        if isIdle, arrived.isEmpty {
            isRunning = false
            return nil
        }
        return (arrived, cancelled)
    }

    /// There is no thread for what has arrived.
    mutating func abandon() -> [Continuation] {
        defer { (arrived, cancelled, isRunning) = ([], [], false) }
        return arrived.map(\.continuation)
    }
}
