import Glibc
package import UsherProcess

/// The state machine of a supervisor: its methods receive events and return actions.
package struct SupervisorState: Sendable {
    private enum Phase {
        /// The worker runs, but is not ready yet.
        case starting
        case serving
        /// No worker runs: the last one died before it was ready, and the next one starts after a delay.
        case resting
        /// The worker drains, and then the server ends.
        case stopping
        /// The worker drains, because a replacement needs the journal.
        case handingOver
        /// No worker runs here, because the replacement starts its own worker.
        case handedOver
    }

    private var phase = Phase.starting
    private var hasBeenReady = false
    private var backoff = Backoff()
    /// Whether this supervisor replaces another supervisor, which continues if the new supervisor's first worker cannot
    /// start.
    private let isReplacement: Bool

    /// Creates the state before the first start.
    ///
    /// - Parameter isReplacement: Pass true if another supervisor waits until this supervisor's worker is ready.
    package init(isReplacement: Bool = false) {
        self.isReplacement = isReplacement
    }

    package func begin() -> [SupervisorAction] {
        isReplacement ? [.start, .wait(Self.replacementTime)] : [.start]
    }

    package mutating func isReady() -> [SupervisorAction] {
        backoff.reset()
        guard case .starting = phase else { return [] }
        phase = .serving
        guard !hasBeenReady else { return [] }
        hasBeenReady = true
        return isReplacement ? [.confirm] : [.openControl, .announce]
    }

    /// Called when the predecessor has received `ready` and then ended.
    package func isConfirmed() -> [SupervisorAction] { [.openControl, .announce] }

    /// Called when the predecessor has waited too long and serves again.
    package mutating func isTooLate() -> [SupervisorAction] {
        phase = .stopping
        return [.report(.tooLate), .send(SIGTERM), .end(.exited(status: 1))]
    }

    /// Called when the worker could not be started.
    package mutating func isNotStarted(_ error: SystemError) -> [SupervisorAction] {
        guard hasBeenReady else { return [.report(.notStarted(error, nil)), .end(.exited(status: 1))] }
        return rest { .notStarted(error, $0) }
    }

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

    /// Called when the time of the last `wait` has passed.
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

    /// Called for a signal that ends a server.
    package mutating func receive(_ signal: Int32) -> [SupervisorAction] {
        switch phase {
        case .resting, .handedOver: return [.end(.exited(status: 0))]
        case .stopping: return [.send(signal)]
        case .starting, .serving, .handingOver:
            phase = .stopping
            return [.closeSocket, .send(signal)]
        }
    }

    /// Called when another supervisor requests the socket.
    package func isAsked() -> [SupervisorAction] {
        switch phase {
        case .starting, .serving, .resting: [.offerSocket]
        case .stopping, .handingOver, .handedOver: [.refuse]
        }
    }

    /// Called when another process requests a copy of the journal.
    package func isAskedForCopy() -> [SupervisorAction] {
        guard case .serving = phase else { return [.refuseCopy] }
        return [.makeCopy]
    }

    /// Called when the other supervisor, which has received the socket, requests the journal.
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

    /// Called when the other supervisor's worker is ready.
    package mutating func isReplaced() -> [SupervisorAction] {
        guard case .handedOver = phase else { return [] }
        return [.report(.replaced), .end(.exited(status: 0))]
    }

    /// Called when the other supervisor has given up or died.
    package mutating func isAlone() -> [SupervisorAction] {
        switch phase {
        case .handingOver:
            // The worker already drains. When the worker ends, the next worker is started.
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
            // A worker with an exit status has printed the reason, such as a bad option. A restart would not help.
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

    /// The time within which a replacement's first worker must be ready; meanwhile, no process serves.
    private static let replacementTime = Duration.seconds(60)
    /// The time after which the supervisor considers a draining worker frozen, and kills it.
    ///
    /// Draining takes at most half of this time, and the replacement waits for a minute.
    private static let drainTime = Duration.seconds(50)
    /// The time after which a replacement that has not given up is considered frozen; until then, no process serves.
    private static let handOverTime = Duration.seconds(65)
}

/// The growing delay between failed starts.
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
