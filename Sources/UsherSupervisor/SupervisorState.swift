import Glibc
package import UsherProcess

/// The state of a supervisor: a machine that is told what has happened, and returns what is to be done.
package struct SupervisorState: Sendable {
    private enum Phase {
        /// The worker runs, and has not said yet that it is ready.
        case starting
        case serving
        /// No worker runs: several have died before they were ready, and the next one waits.
        case resting
        /// The worker drains for good.
        case stopping
        /// The worker drains for a replacement.
        case handingOver
        /// No worker runs: the replacement starts its own.
        case handedOver
    }

    private var phase = Phase.starting
    private var hasBeenReady = false
    private var backoff = Backoff()
    /// True for a supervisor that takes over from another, which goes on if the first worker cannot start.
    private let isReplacement: Bool

    /// The state before the first start.
    ///
    /// - Parameter isReplacement: True where another supervisor waits for this one's worker to be ready.
    package init(isReplacement: Bool = false) {
        self.isReplacement = isReplacement
    }

    /// It begins.
    package func begin() -> [SupervisorAction] {
        isReplacement ? [.start, .wait(Self.replacementTime)] : [.start]
    }

    /// The worker says that it is ready.
    package mutating func isReady() -> [SupervisorAction] {
        backoff.reset()
        guard case .starting = phase else { return [] }
        phase = .serving
        guard !hasBeenReady else { return [] }
        hasBeenReady = true
        return isReplacement ? [.confirm] : [.openControl, .announce]
    }

    /// The supervisor before has heard that this one's worker is ready, and has ended.
    package func isConfirmed() -> [SupervisorAction] { [.openControl, .announce] }

    /// The supervisor before has waited for too long, and serves again.
    package mutating func isTooLate() -> [SupervisorAction] {
        phase = .stopping
        return [.report(.tooLate), .send(SIGTERM), .end(.exited(status: 1))]
    }

    /// The worker could not even be started.
    package mutating func isNotStarted(_ error: SystemError) -> [SupervisorAction] {
        guard hasBeenReady else { return [.report(.notStarted(error, nil)), .end(.exited(status: 1))] }
        return rest { .notStarted(error, $0) }
    }

    /// The worker has ended.
    package mutating func hasEnded(_ end: ChildEnd) -> [SupervisorAction] {
        switch phase {
        case .starting: return hasEndedUnready(end)
        case .serving:
            phase = .starting
            return [.report(.died(end, nil)), .start]
        case .stopping: return [.end(end)]
        case .handingOver:
            phase = .handedOver
            return [.tellDrained, .wait(Self.handOverTime)]
        case .resting, .handedOver: return []
        }
    }

    /// The time of the last `wait` has come.
    package mutating func isDue() -> [SupervisorAction] {
        switch phase {
        case .resting:
            phase = .starting
            return [.start]
        case .starting where isReplacement && !hasBeenReady: return [.send(SIGKILL)]
        case .handingOver: return [.send(SIGKILL)]
        case .handedOver:
            phase = .starting
            return [.dismiss, .report(.handedBack), .start]
        default: return []
        }
    }

    /// A signal has come that ends a server.
    package mutating func receive(_ signal: Int32) -> [SupervisorAction] {
        switch phase {
        case .resting, .handedOver: return [.end(.exited(status: 0))]
        case .stopping: return [.send(signal)]
        case .starting, .serving, .handingOver:
            phase = .stopping
            return [.closeSocket, .send(signal)]
        }
    }

    /// Another supervisor wants to take over.
    package func isAsked() -> [SupervisorAction] {
        switch phase {
        case .starting, .serving, .resting: [.offerSocket]
        case .stopping, .handingOver, .handedOver: [.refuse]
        }
    }

    /// Another process wants a copy of the journal.
    package func isAskedForCopy() -> [SupervisorAction] {
        guard case .serving = phase else { return [.refuseCopy] }
        return [.makeCopy]
    }

    /// The other supervisor has the socket, and wants the journal.
    package mutating func isAskedToDrain() -> [SupervisorAction] {
        switch phase {
        case .starting, .serving:
            phase = .handingOver
            return [.report(.handingOver), .send(SIGTERM), .wait(Self.drainTime)]
        case .resting:
            phase = .handedOver
            return [.report(.handingOver), .tellDrained, .wait(Self.handOverTime)]
        case .stopping, .handingOver, .handedOver: return [.refuse]
        }
    }

    /// The other supervisor's worker is ready.
    package mutating func isReplaced() -> [SupervisorAction] {
        guard case .handedOver = phase else { return [] }
        return [.report(.replaced), .end(.exited(status: 0))]
    }

    /// The other supervisor has given up, or has died.
    package mutating func isAlone() -> [SupervisorAction] {
        switch phase {
        case .handingOver:
            // The worker drains; its end is that of one which serves.
            phase = .serving
            return [.report(.handedBack)]
        case .handedOver:
            phase = .starting
            return [.report(.handedBack), .start]
        case .starting, .serving, .resting, .stopping: return []
        }
    }

    private mutating func hasEndedUnready(_ end: ChildEnd) -> [SupervisorAction] {
        if !hasBeenReady {
            // It has told the reason, such as a bad option or a journal in use, and no restart mends that.
            if case .exited(let status) = end { return [.end(.exited(status: status == 0 ? 1 : status))] }
            if isReplacement { return [.report(.died(end, nil)), .end(.exited(status: 1))] }
        }
        return rest { .died(end, $0) }
    }

    private mutating func rest(_ report: (Duration) -> SupervisorReport) -> [SupervisorAction] {
        phase = .resting
        let delay = backoff.next()
        return [.report(report(delay)), .wait(delay)]
    }

    /// A replacement's first worker is ready within it, or is ended: meanwhile nobody serves.
    private static let replacementTime = Duration.seconds(60)
    /// A worker drains within half of it by itself, or is frozen and is ended.
    ///
    /// The replacement waits for a minute.
    private static let drainTime = Duration.seconds(50)
    /// Longer than the replacement takes to give up by itself: then it is frozen, and nobody serves.
    private static let handOverTime = Duration.seconds(65)
}

/// The growing delay between starts that fail.
private struct Backoff {
    private static let first = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)
    private var delay = Self.first

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, Self.longest) }
        return delay
    }

    mutating func reset() {
        delay = Self.first
    }
}
