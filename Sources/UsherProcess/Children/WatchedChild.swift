import Glibc

/// A child process that answers messages with lines, in order; only one thread uses it, and it ends with that thread.
///
/// The child marks the code that it runs in a shared flight record, which shows the parent why the child died. The
/// parent kills a child that exceeds a limit.
package final class WatchedChild {
    /// The answer to a message.
    package enum Answer: Sendable {
        case line(String)
        /// The child died while it ran the code of this mark.
        case died(FlightMark)
        /// The outcome is unknown; the reason is one sentence for the log.
        case untried(reason: String)
    }

    /// The number of the flight record's descriptor in the child.
    package static let recordDescriptor: Int32 = 3
    /// The slots that the parent reads: a few, because the child sets marks mostly on its first thread.
    private static let slots = 0..<4
    /// Milliseconds between two checks of the child.
    private static let interval: Int32 = 10
    /// The growth in bytes from which a SIGKILL is attributed to the OOM killer, and not to a user's `kill`.
    private static let noticeableGrowth = 32 * 1_024 * 1_024

    private let conversation: ChildConversation
    private let record: FlightRecord
    private var watch: FlightWatch
    private var lines = ReceivedLines()
    /// The longest time in nanoseconds without an answer; after this time, the outcome is unknown.
    private let patience: Int64
    /// The nanoseconds during which the child made progress: it ran, or waited for something other than the processor.
    private var progress: Int64 = 0
    private var last: (time: Int64, processorTime: Int64)?
    private var deadline: Int64

    /// Starts a child with limits of the code that it marks; backtraces are disabled, because each takes a second.
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

    /// Sends messages, and returns the answers.
    ///
    /// Only the last answer may be something other than a line; the child is then gone.
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
        return .untried(reason: "the child process got too little processor time")
    }

    private func death(_ end: ChildEnd) -> Answer {
        guard let slot = Self.slots.map({ record.slot($0) }).first(where: { $0.mark != nil }) else {
            return .untried(reason: "the child process ended before it began its work: \(end)")
        }
        if slot.mark?.note == nil {
            switch end {
            case .exited(let status): slot.note(.exit(status))
            case .killed(let signal) where CrashHandler.signals.contains(signal): slot.note(.signal(signal))
            case .killed where watch.growth > Self.noticeableGrowth: slot.note(.memory(bytes: Int64(watch.growth)))
            case .killed: return .untried(reason: "the child process was ended from outside: \(end)")
            }
        }
        return mark.map { .died($0) } ?? .untried(reason: "the child process ended outside of an input: \(end)")
    }

    private var mark: FlightMark? { Self.slots.lazy.compactMap { self.record.slot($0).mark }.first }
}

/// Splits received bytes into lines; discards a line that exceeds the limit.
struct ReceivedLines {
    private var bytes: [UInt8] = []
    private static let limit = 4 * 1024 * 1024

    mutating func append(_ piece: [UInt8]) {
        bytes += piece
        if bytes.count > Self.limit, !bytes.contains(UInt8(ascii: "\n")) { bytes = [] }
    }

    mutating func next() -> String? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
