import UsherExploration
package import UsherProcess
package import UsherSessions

/// Runs sessions in child processes of this executable, so that a crash does not affect this process.
///
/// If a run dies in a child that has made other runs before, that run is repeated in a new child, because an earlier
/// run may be the cause.
package struct IsolatedProcesses: Sendable {
    package let width: Int
    private let limits: WatchLimits
    private let command: ChildCommand
    /// The threads that start children and wait for them, one thread per child.
    private let threads: ElasticExecutor

    /// Creates a runner, which starts a child for each call; at most `width` children run at the same time.
    ///
    /// By default, the command is this process's executable and environment.
    package init(
        width: Int = 2, _ limits: WatchLimits = WatchLimits(handlerTime: .seconds(5), memory: 256 * 1024 * 1024),
        command: ChildCommand = ChildCommand([])
    ) {
        (self.width, self.limits, self.command) = (width, limits, command)
        threads = ElasticExecutor(limit: width)
    }

    /// Waits for a free child, sends the messages to that child, and returns the child's answers.
    fileprivate func answers(to messages: [[UInt8]], _ subject: IsolationSubject) async -> [WatchedChild.Answer] {
        var command = command
        command.arguments = ["usher", "isolate", subject.rawValue]
        let prepared = command
        return await withTaskExecutorPreference(threads) {
            var answers: [WatchedChild.Answer] = []
            while answers.count < messages.count {
                do throws(SystemError) {
                    let child = try WatchedChild(prepared, limits)
                    let news = child.answers(to: messages[answers.count...])
                    answers += news
                    if news.count > 1, case .line? = news.last { continue }
                    if news.count > 1 { answers.removeLast() }
                } catch {
                    answers.append(.untried(reason: "\(error)"))
                }
            }
            return answers
        }
    }

    fileprivate func crash(_ mark: FlightMark) -> Crash {
        Crash(mark, of: command.executable) ?? Crash("unknown reason")
    }
}

extension ServeOptions {
    /// The runner for inputs that may have crashed the server; nil for a journal in memory, because a crash then ends
    /// all sessions anyway.
    var isolation: IsolatedProcesses? {
        guard journal != .memory else { return nil }
        return IsolatedProcesses(WatchLimits(handlerTime: handlerTimeout ?? .seconds(3_600), memory: inputMemory))
    }
}

extension IsolatedProcesses: IsolatedRunner {
    package func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome] {
        await answers(to: runs.map(\.message), .sessions).map { answer in
            switch answer {
            case .died(let mark): .crashes(crash(mark))
            case .untried(let reason): .untried(reason: reason)
            case .line(let line):
                IsolatedEnd(json: line).map { .ended($0) }
                    ?? .untried(reason: "the child process gave an unreadable answer")
            }
        }
    }
}

/// Runs an exploration's probes in child processes of this executable.
struct ChildProbes: ProbePlace {
    private let processes: IsolatedProcesses

    /// Creates a place for probes, with at most `width` children.
    init(width: Int) {
        processes = IsolatedProcesses(width: width)
    }

    var width: Int { processes.width }

    func findings(of probes: [InputProbe]) async -> [ProbeFinding] {
        let messages = probes.compactMap { try? $0.json() }.map { IsolatedRun.framed($0) }
        guard messages.count == probes.count else {
            return probes.map { _ in .untried(reason: "one of its inputs cannot be encoded") }
        }
        return await processes.answers(to: messages, .probes).map { answer in
            switch answer {
            case .died(let mark): .crashes("\(processes.crash(mark))")
            case .untried(let reason): .untried(reason: reason)
            case .line(let line):
                (try? ProbeReport(json: line)).map { .ended($0) }
                    ?? .untried(reason: "the probe's process gave an unreadable answer")
            }
        }
    }
}
