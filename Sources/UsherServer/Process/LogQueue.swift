import UsherMetrics
import UsherProcess

/// A bounded queue of log lines, so that writers never wait for a blocked stream.
///
/// A thread writes the lines. If the stream is blocked, the queue fills up, and further lines are dropped and counted.
/// When there is room again, a line says how many were dropped.
final class LogQueue: Sendable {
    private let lines: PendingLines
    private let dropped = Counter()

    /// Creates an empty queue of at most `limit` bytes; nil if the system has no thread left.
    ///
    /// `notice` returns the line that says how many lines were dropped. `write` writes a line on the queue's thread,
    /// and may block.
    init?(
        limit: Int = 1 << 20, notice: @escaping @Sendable (Int) -> String, write: @escaping @Sendable (String) -> Void
    ) {
        let lines = PendingLines(limit: limit)
        self.lines = lines
        let thread = {
            while let batch = lines.take() {
                for line in batch.lines { write(line) }
                if batch.dropped > 0 { write(notice(batch.dropped)) }
            }
        }
        guard SystemThread.start(thread) else { return nil }
    }

    deinit { lines.close() }

    var droppedLines: Int { dropped.value }

    /// Adds a line; drops it if the queue is full.
    func add(_ line: String) {
        if !lines.add(line) { dropped.add() }
    }

    /// Blocks the thread until all lines are written, but no longer than a duration; returns `true` if all are written.
    func flush(within duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !lines.isEmpty {
            guard ContinuousClock.now < end else { return false }
            SystemThread.pause(nanoseconds: 1_000_000)
        }
        return true
    }
}

private final class PendingLines: @unchecked Sendable {  // because `lock` guards the rest
    struct LineBatch {
        let lines: [String]
        /// The number of lines that were dropped since the last batch.
        let dropped: Int
    }

    private let lock = ConditionLock()
    private let limit: Int
    private var lines: [String] = []
    private var bytes = 0
    private var dropped = 0
    private var isWriting = false
    private var isClosed = false

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool {
        lock.lock()
        defer { lock.unlock() }
        return lines.isEmpty && dropped == 0 && !isWriting
    }

    /// Adds a line; returns `false` if there is no room.
    func add(_ line: String) -> Bool {
        lock.lock()
        let size = line.utf8.count + 1
        let fits = bytes + size <= limit
        if fits {
            lines.append(line)
            bytes += size
        } else {
            dropped += 1
        }
        lock.unlock()
        if fits { lock.signal() }
        return fits
    }

    func close() {
        lock.lock()
        isClosed = true
        lock.unlock()
        lock.signal()
    }

    /// Waits for lines; returns nil once the queue is closed and empty.
    ///
    /// The caller must already have written all lines that earlier calls returned.
    func take() -> LineBatch? {
        lock.lock()
        defer { lock.unlock() }
        isWriting = false
        while lines.isEmpty, dropped == 0 {
            guard !isClosed else { return nil }
            lock.wait(until: nil)
        }
        defer { (lines, bytes, dropped, isWriting) = ([], 0, 0, true) }
        return LineBatch(lines: lines, dropped: dropped)
    }
}
