import Glibc

/// A child process that answers messages with lines, one after the other, and marks what it runs in a flight record that
/// both processes have: so the parent knows what the child died of, and ends one that goes beyond a limit.
///
/// Used by one thread, with which the child ends.
package final class WatchedChild {
    /// The answer to a message.
    package enum Answer: Sendable {
        /// A line.
        case line(String)
        /// The child has died; the mark says of what.
        case died(FlightMark)
        /// Nothing is known; one sentence for the log.
        case untried(reason: String)
    }

    /// The number of the flight record's descriptor in the child.
    package static let recordDescriptor: Int32 = 3
    /// Slots that are looked at: the child marks little more than its first thread.
    private static let slots = 0..<4
    /// Milliseconds between two looks at the child.
    private static let interval: Int32 = 10
    /// Bytes of growth that tell a child which the system has ended for memory from one that somebody has killed.
    private static let noticeableGrowth = 32 * 1_024 * 1_024

    private let conversation: ChildConversation
    private let record: FlightRecord
    private var watch: FlightWatch
    private var lines = ReceivedLines()
    /// Nanoseconds that the child waits for the processor at most, before nothing is known of it.
    private let patience: Int64
    /// The time of the child that counts: that for which it had the processor, or waited for something else.
    private var progress: Int64 = 0
    private var last: (time: Int64, processorTime: Int64)?
    private var deadline: Int64

    /// Starts a child.
    ///
    /// - Parameters:
    ///   - command: The command; its descriptors are set here, and its backtraces are switched off, for they take a second.
    ///   - limits: The limits of what the child marks.
    /// - Throws: `SystemError`.
    package init(_ command: ChildCommand, _ limits: WatchLimits) throws(SystemError) {
        do throws(FlightRecordError) { record = try FlightRecord() } catch {
            throw SystemError("start", command.executable, error.number)
        }
        var command = command
        command.environment["SWIFT_BACKTRACE"] = "enable=no"
        command.descriptors[Self.recordDescriptor] = record.descriptor.number
        conversation = try ChildConversation(command)
        watch = FlightWatch(limits)
        patience = max(60_000_000_000, 10 * min(limits.nanoseconds ?? 0, .max / 100))
        deadline = MonotonicClock.now &+ patience
    }

    /// Sends messages, and waits for the answers.
    ///
    /// - Returns: The answers; if one is no line, it is the last, and the child is gone.
    package func answers(to messages: ArraySlice<[UInt8]>) -> [Answer] {
        for message in messages { conversation.send(message) }
        var answers: [Answer] = []
        while answers.count < messages.count {
            switch conversation.next(within: Self.interval) {
            case .received(let bytes):
                lines.append(bytes)
                while let line = lines.next() { answers.append(.line(line)) }
                deadline = MonotonicClock.now &+ patience
            case .end: return answers + [death(conversation.process.wait())]
            case .nothing: if let end = look() { return answers + [end] }
            }
        }
        return answers
    }

    /// Looks at the child, and ends one that is beyond a limit.
    private func look() -> Answer? {
        guard let usage = ChildUsage(of: conversation.process) else { return nil }
        let now = MonotonicClock.now
        if let last {
            let used = usage.processorTime - last.processorTime
            progress += usage.isWaiting ? max(used, now - last.time) : used
        }
        last = (now, usage.processorTime)
        let sights = Self.slots.compactMap { record.slot($0).sight(as: $0) }
        if let excess = watch.look(at: sights, at: progress, size: usage.residentBytes).first {
            record.slot(excess.sight.slot).note(excess.note)
            CrashHandler.takeStack(of: record.slot(excess.sight.slot), in: conversation.process.id)
            conversation.kill()
            return mark.map { .died($0) }
        }
        guard now > deadline else { return nil }
        conversation.kill()
        return .untried(reason: "the processor had no time for the child process")
    }

    private func death(_ end: ChildEnd) -> Answer {
        guard let slot = Self.slots.map({ record.slot($0) }).first(where: { $0.mark != nil }) else {
            return .untried(reason: "the child process ended before it began: \(end)")
        }
        if slot.mark?.note == nil {
            switch end {
            case .exited(let status): slot.note(.exit(status))
            case .killed(let signal) where CrashHandler.signals.contains(signal): slot.note(.signal(signal))
            case .killed where watch.growth > Self.noticeableGrowth: slot.note(.memory(bytes: Int64(watch.growth)))
            case .killed: return .untried(reason: "somebody has ended the child process: \(end)")
            }
        }
        return mark.map { .died($0) } ?? .untried(reason: "the child process left no mark: \(end)")
    }

    private var mark: FlightMark? { Self.slots.lazy.compactMap { self.record.slot($0).mark }.first }
}

/// Lines as they come in pieces; one that is too long is cut.
struct ReceivedLines {
    private var bytes: [UInt8] = []
    private static let limit = 4 * 1024 * 1024

    mutating func append(_ piece: [UInt8]) {
        bytes += piece
        if bytes.count > Self.limit, !bytes.contains(UInt8(ascii: "\n")) { bytes = [] }
    }

    /// The next whole line.
    mutating func next() -> String? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
