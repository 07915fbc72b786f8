import UsherProcess
import UsherSessions

/// A child process that makes trials one after the other, as its parent sees it.
///
/// Used by one thread, which is also the child's life: it ends with that.
final class TrialChild {
    /// The phase of a trial.
    private enum Phase {
        /// The child has not said that it has begun: author's code has not run.
        case sent
        case replaying
        /// The session stands, and the input is handled.
        case handling
    }

    /// True once it has made a trial, and may have something left of that.
    private(set) var isUsed = false
    private let conversation: ChildConversation
    private let limits: TrialLimits
    private var phase = Phase.sent
    /// The child as it was when the phase was first looked at; most are over before.
    private var start: TrialMoment?
    /// Resident memory at the beginning of the phase, where the child has told it.
    private var residentBytes: Int?
    /// The largest growth that was seen in the phase.
    private var growth = 0
    private var lines = ReceivedLines()
    private var report: CrashReport

    /// Milliseconds between two looks at what the child uses.
    private static let interval: Int32 = 10
    /// Bytes of growth that tell a child which the system has ended for memory from one that somebody has killed.
    private static let noticeableGrowth = 32 * 1024 * 1024

    /// Starts a child.
    ///
    /// - Throws: `ChildStartError`.
    init(_ limits: TrialLimits, _ command: ChildCommand, _ subject: ChildSubject) throws(ChildStartError) {
        var command = command
        command.arguments = [CrashReport.program, "try", "\(limits.seconds)", subject.rawValue]
        // A backtrace of the runtime's takes a second, and the crash report has one.
        command.environment["SWIFT_BACKTRACE"] = "enable=no"
        conversation = try ChildConversation(command)
        report = CrashReport(of: command.executable)
        self.limits = limits
    }

    /// Makes trials one after the other, and waits for their end.
    ///
    /// - Parameter messages: The trials.
    /// - Returns: Their findings; where one is no answer, it is the last, and the child is gone.
    func findings(of messages: ArraySlice<[UInt8]>) -> [ChildFinding] {
        begin(.sent)
        for message in messages { conversation.send(message) }
        var findings: [ChildFinding] = []
        while findings.count < messages.count {
            switch conversation.next(within: Self.interval) {
            case .received(let bytes):
                lines.append(bytes)
                while let line = lines.next() {
                    guard let answer = read(line) else { continue }
                    findings.append(.answered(answer))
                    isUsed = true
                    begin(.sent)
                }
            case .end: return findings + [death(conversation.process.wait())]
            case .nothing: if let excess { return findings + [end(for: excess)] }
            }
        }
        return findings
    }

    private func begin(_ phase: Phase, residentBytes: Int? = nil) {
        self.phase = phase
        self.residentBytes = residentBytes
        start = nil
        growth = 0
    }

    /// Takes in a line.
    ///
    /// - Returns: The answer, where it is one: an object of JSON.
    private func read(_ line: String) -> String? {
        if report.read(line) { return nil }
        if line == "started" || line == "replaying" {
            begin(.replaying)
        } else if line.hasPrefix("replayed ") {
            begin(.handling, residentBytes: Int(line.dropFirst(9)))
        } else if line.hasPrefix("{") {
            return line
        }
        return nil
    }

    /// The limit that the child has gone beyond.
    private var excess: TrialExcess? {
        guard let now = TrialMoment(conversation.process) else { return nil }
        guard let start else {
            start = now
            if let residentBytes { start?.residentBytes = residentBytes }
            return nil
        }
        growth = max(growth, now.residentBytes - start.residentBytes)
        return limits.excess(start, now)
    }

    // MARK: Deaths

    /// Ends a child that has gone beyond a limit, after it was asked where it is.
    private func end(for excess: TrialExcess) -> ChildFinding {
        conversation.process.send(CrashReporter.request)
        let deadline = MonotonicClock.now + 500_000_000
        waiting: while MonotonicClock.now < deadline {
            switch conversation.next(within: Self.interval) {
            case .received(let bytes):
                lines.append(bytes)
                while let line = lines.next() { _ = report.read(line) }
            case .end: break waiting
            case .nothing: break
            }
        }
        conversation.kill()
        switch excess {
        case .memory: return crash("memory")
        case .time where phase != .sent: return crash("timeout")
        case .time, .starved: return .untried(reason: "the processor had no time for the trial's process")
        }
    }

    private func death(_ end: ChildEnd) -> ChildFinding {
        if let signal = report.signal, phase != .sent {
            return crash(signal == 0 ? "\(end)" : SignalName.of(signal))
        }
        switch end {
        case _ where phase == .sent: return .untried(reason: "the trial's process ended before it began: \(end)")
        case .exited: return crash("\(end)")
        case .killed(let signal) where CrashReporter.isCrash(signal): return crash("\(end)")
        case .killed where growth > min(limits.memory, Self.noticeableGrowth): return crash("memory")
        case .killed: return .untried(reason: "somebody has ended the trial's process: \(end)")
        }
    }

    private func crash(_ cause: String) -> ChildFinding {
        .crashes(Crash(cause, in: report.symbol, at: phase == .handling ? nil : report.revision))
    }
}

/// The messages that a child answers.
enum ChildSubject: String, CaseIterable {
    /// Trials of sessions.
    case sessions
    /// Probes of an app that is explored.
    case probes
}

/// The finding of a message that a child was sent.
enum ChildFinding {
    /// It came to its end: an object of JSON.
    case answered(String)
    /// The process died that handled it.
    case crashes(Crash)
    /// Nothing is known; one sentence for the log.
    case untried(reason: String)
}

/// Lines as they come in pieces; one that is too long is cut.
struct ReceivedLines {
    private var bytes: [UInt8] = []
    private static let limit = 4 * 1024 * 1024

    /// Takes in a piece.
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
