import UsherExploration
package import UsherProcess
package import UsherSessions

/// Trials in child processes of this executable, a few at once: what dies there costs nothing here.
///
/// Each child belongs to a thread, which waits for it. It stays for a while, for the next trial; what dies in one that has
/// made others is tried again in a new one, so that nothing is found guilty for what another has left.
package final class ChildTrials: @unchecked Sendable {  // because `contents` is used only while `lock` is held
    private struct Job {
        let messages: [[UInt8]]
        let receive: @Sendable ([ChildFinding]) -> Void
    }

    private struct Contents {
        var jobs: [Job] = []
        var threads = 0
        var idle = 0
    }

    /// The number of children at most.
    package let width: Int
    private let limits: TrialLimits
    private let command: ChildCommand
    private let subject: ChildSubject
    private let lock = ConditionLock()
    private var contents = Contents()

    /// Nanoseconds that a child waits for another trial.
    private static let idleTime: Int64 = 2_000_000_000

    /// Makes a place for trials; a child starts with the first.
    ///
    /// - Parameters:
    ///   - width: The number of children at most.
    ///   - limits: The limits of a trial.
    ///   - command: The executable and its environment; this process's unless told.
    package convenience init(
        width: Int = 2, _ limits: TrialLimits = TrialLimits(), command: ChildCommand = ChildCommand([])
    ) {
        self.init(of: .sessions, width: width, limits, command)
    }

    fileprivate init(of subject: ChildSubject, width: Int, _ limits: TrialLimits, _ command: ChildCommand) {
        self.subject = subject
        self.width = width
        self.limits = limits
        self.command = command
    }

    /// Sends messages to a child, and waits for its turn and its answers.
    fileprivate func findings(of messages: [[UInt8]]) async -> [ChildFinding] {
        await withCheckedContinuation { continuation in
            submit(Job(messages: messages) { continuation.resume(returning: $0) })
        }
    }

    private func submit(_ job: Job) {
        lock.lock()
        contents.jobs.append(job)
        let isThreadNeeded = contents.idle < contents.jobs.count && contents.threads < width
        if isThreadNeeded { contents.threads += 1 }
        lock.unlock()
        lock.signal()
        guard isThreadNeeded, !SystemThread.start({ self.work() }) else { return }
        fail("the system has no thread left")
    }

    /// No thread could be started: trials that none is there for are not made.
    private func fail(_ reason: String) {
        lock.lock()
        contents.threads -= 1
        let jobs = contents.threads == 0 ? contents.jobs : []
        if contents.threads == 0 { contents.jobs = [] }
        lock.unlock()
        for job in jobs { job.receive(job.messages.map { _ in .untried(reason: reason) }) }
    }

    /// Makes trials until there are none for a while.
    private func work() {
        var child: TrialChild?
        while let job = next() { job.receive(findings(of: job.messages, in: &child)) }
    }

    private func next() -> Job? {
        let end = MonotonicClock.now + Self.idleTime
        lock.lock()
        defer { lock.unlock() }
        while contents.jobs.isEmpty {
            guard MonotonicClock.now < end else {
                contents.threads -= 1
                return nil
            }
            contents.idle += 1
            lock.wait(until: end)
            contents.idle -= 1
        }
        return contents.jobs.removeFirst()
    }

    private func findings(of messages: [[UInt8]], in child: inout TrialChild?) -> [ChildFinding] {
        var findings: [ChildFinding] = []
        while findings.count < messages.count {
            do throws(ChildStartError) {
                let current = if let child { child } else { try TrialChild(limits, command, subject) }
                let isFresh = !current.isUsed
                let news = current.findings(of: messages[findings.count...])
                child = current
                findings += news
                if case .answered? = news.last { continue }
                child = nil
                // It was not the first of its child: that may have had something left of those before.
                if !isFresh || news.count > 1 { findings.removeLast() }
            } catch {
                findings.append(.untried(reason: "\(error)"))
            }
        }
        return findings
    }
}

extension ServeOptions {
    /// The place where a server tries inputs that may end it; nil where a crash ends all sessions anyway.
    var trials: ChildTrials? {
        guard journal != .memory else { return nil }
        let hour = Duration.seconds(3_600)
        return ChildTrials(TrialLimits(time: handlerTimeout ?? hour, memory: inputMemory ?? .max))
    }
}

extension ChildTrials: TrialPlace {
    package func findings(of trials: [Trial]) async -> [TrialFinding] {
        await findings(of: trials.map { TrialMessage.bytes(of: $0) }).map { finding in
            switch finding {
            case .crashes(let crash): TrialFinding.crashes(crash)
            case .untried(let reason): TrialFinding.untried(reason: reason)
            case .answered(let line):
                TrialEnding(json: line).map { TrialFinding.ended($0) }
                    ?? TrialFinding.untried(reason: "the trial's process gave no answer that this one can read")
            }
        }
    }
}

extension ChildTrials: TrialRunner {
    package func verdict(on trial: Trial) async -> TrialVerdict {
        await finding(of: trial).verdict
    }
}

/// Probes of an app that is explored, in child processes of this executable: as many at once as there are processors.
struct ChildProbes: ProbePlace {
    private let children: ChildTrials

    /// Makes a place for probes.
    ///
    /// - Parameters:
    ///   - width: The number of children at most.
    ///   - limits: The limits of a probe.
    ///   - command: The executable and its environment; this process's unless told.
    init(width: Int, _ limits: TrialLimits = TrialLimits(), command: ChildCommand = ChildCommand([])) {
        children = ChildTrials(of: .probes, width: width, limits, command)
    }

    var width: Int { children.width }

    func findings(of probes: [InputProbe]) async -> [ProbeFinding] {
        let messages = probes.compactMap { try? $0.json() }.map { TrialMessage.framed($0) }
        guard messages.count == probes.count else {
            return probes.map { _ in .untried(reason: "an input of it does not encode") }
        }
        return await children.findings(of: messages).map { finding in
            switch finding {
            case .crashes(let crash): ProbeFinding.crashes("\(crash)")
            case .untried(let reason): ProbeFinding.untried(reason: reason)
            case .answered(let line):
                (try? ProbeReport(json: line)).map { ProbeFinding.ended($0) }
                    ?? ProbeFinding.untried(reason: "the probe's process gave no answer that this one can read")
            }
        }
    }
}
