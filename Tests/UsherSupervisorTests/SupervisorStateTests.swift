import Glibc
import Testing
import UsherProcess
import UsherSupervisor

/// Tests of series of events, with the actions that each event leads to.
@Suite("The supervisor's state")
struct SupervisorStateTests {
    private static let crash = ChildEnd.killed(signal: SIGSEGV)
    private static let failure = ChildEnd.exited(status: 1)
    private static let noProcess = SystemError("start", "usher", EAGAIN)

    @Test func `the worker is started, and its address is announced once`() {
        var state = SupervisorState()
        #expect(state.begin() == [.start])
        #expect(state.isReady() == [.openControl, .announce])
        #expect(state.hasEnded(Self.crash) == [.report(.died(Self.crash, nil)), .start])
        #expect(state.isReady() == [])
    }

    @Test(arguments: [crash, failure, .exited(status: 0), .killed(signal: SIGKILL), .killed(signal: SIGTERM)])
    func `a worker that has served is restarted at once, however the worker ended`(end: ChildEnd) {
        var state = serving()
        for _ in 0..<8 {
            #expect(state.hasEnded(end) == [.report(.died(end, nil)), .start])
            #expect(state.isReady() == [])
        }
    }

    @Test(
        arguments: [(ChildEnd.exited(status: 2), 2), (.exited(status: 1), 1), (.exited(status: 0), 1)]
            as [(ChildEnd, Int32)])
    func `the supervisor ends if its first worker exits with a status`(end: ChildEnd, status: Int32) {
        var state = SupervisorState()
        _ = state.begin()
        #expect(state.hasEnded(end) == [.end(.exited(status: status))])
    }

    @Test func `the supervisor ends if its first worker cannot be started`() {
        var state = SupervisorState()
        _ = state.begin()
        #expect(
            state.isNotStarted(Self.noProcess) == [.report(.notStarted(Self.noProcess, nil)), .end(.exited(status: 1))])
    }

    @Test func `a worker that crashes before it is ready is restarted with growing delays`() {
        var state = SupervisorState()
        _ = state.begin()
        for milliseconds in [100, 200, 400, 800, 1600, 3200, 5000, 5000] {
            let delay = Duration.milliseconds(milliseconds)
            #expect(state.hasEnded(Self.crash) == [.report(.died(Self.crash, delay)), .wait(delay)])
            #expect(state.isDue() == [.start])
        }
        #expect(state.isReady() == [.openControl, .announce])
        #expect(state.hasEnded(Self.crash) == [.report(.died(Self.crash, nil)), .start])
        let first = Duration.milliseconds(100)
        #expect(state.hasEnded(Self.failure) == [.report(.died(Self.failure, first)), .wait(first)])
        #expect(state.isDue() == [.start])
        let second = Duration.milliseconds(200)
        #expect(state.isNotStarted(Self.noProcess) == [.report(.notStarted(Self.noProcess, second)), .wait(second)])
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func `after a signal, the supervisor closes the socket, forwards the signal, and ends with its worker's status`(
        signal: Int32
    ) {
        var state = serving()
        #expect(state.receive(signal) == [.closeSocket, .send(signal)])
        #expect(state.receive(SIGQUIT) == [.send(SIGQUIT)])
        var other = state
        #expect(state.hasEnded(.exited(status: 0)) == [.end(.exited(status: 0))])
        #expect(other.hasEnded(.killed(signal: signal)) == [.end(.killed(signal: signal))])
    }

    @Test func `a worker that crashes during the final drain is not restarted`() {
        var state = serving()
        _ = state.receive(SIGTERM)
        #expect(state.hasEnded(Self.crash) == [.end(.killed(signal: SIGSEGV))])
    }

    @Test func `if no worker runs, a signal ends the supervisor`() {
        var state = SupervisorState()
        _ = state.begin()
        _ = state.hasEnded(Self.crash)
        #expect(state.receive(SIGTERM) == [.end(.exited(status: 0))])
    }

    @Test func `a replacement server gets the socket, the old worker drains, and the old supervisor ends`() {
        var state = serving()
        #expect(state.isAsked() == [.offerSocket])
        #expect(
            state.isAskedToDrain() == [.report(.handingOver), .send(SIGTERM), .wait(.seconds(50))])
        #expect(state.hasEnded(.exited(status: 0)) == [.tellDrained, .wait(.seconds(65))])
        #expect(state.isReplaced() == [.report(.replaced), .end(.exited(status: 0))])
    }

    @Test func `the old server continues if its replacement gives up`() {
        var early = serving()
        #expect(early.isAlone() == [])

        var draining = serving()
        _ = draining.isAskedToDrain()
        #expect(draining.isAlone() == [.report(.handedBack)])
        let end = ChildEnd.exited(status: 0)
        #expect(draining.hasEnded(end) == [.report(.died(end, nil)), .start])

        var drained = serving()
        _ = drained.isAskedToDrain()
        _ = drained.hasEnded(end)
        #expect(drained.isAlone() == [.report(.handedBack), .start])
        #expect(drained.isReady() == [])
    }

    @Test func `a replacement gets the socket at once if the worker is about to be started again`() {
        var state = SupervisorState()
        _ = state.begin()
        _ = state.hasEnded(Self.crash)
        #expect(state.isAskedToDrain() == [.report(.handingOver), .tellDrained, .wait(.seconds(65))])
        #expect(state.isAlone() == [.report(.handedBack), .start])
    }

    @Test func `a server that stops or is being replaced refuses another replacement`() {
        var stopping = serving()
        _ = stopping.receive(SIGTERM)
        #expect(stopping.isAsked() == [.refuse])
        #expect(stopping.isAskedToDrain() == [.refuse])
        var replaced = serving()
        _ = replaced.isAskedToDrain()
        #expect(replaced.isAsked() == [.refuse])
        _ = replaced.hasEnded(.exited(status: 0))
        #expect(replaced.isAsked() == [.refuse])
        #expect(replaced.isAskedToDrain() == [.refuse])
    }

    @Test func `a replacement that sends nothing is rejected after a time limit, and the old server continues`() {
        var state = serving()
        _ = state.isAskedToDrain()
        _ = state.hasEnded(.exited(status: 0))
        #expect(state.isDue() == [.dismiss, .report(.handedBack), .start])
        #expect(state.isReplaced() == [])
        #expect(state.isReady() == [])
        #expect(state.isDue() == [])
        #expect(state.isAsked() == [.offerSocket])
    }

    @Test func `during a replacement, a worker that does not drain is killed`() {
        var state = serving()
        _ = state.isAskedToDrain()
        #expect(state.isDue() == [.send(SIGKILL)])
        #expect(state.hasEnded(.killed(signal: SIGKILL)) == [.tellDrained, .wait(.seconds(65))])
    }

    @Test func `a replacement stops its own worker and ends if the old server no longer waits for it`() {
        var state = SupervisorState(isReplacement: true)
        _ = state.begin()
        #expect(state.isReady() == [.confirm])
        #expect(state.isTooLate() == [.report(.tooLate), .send(SIGTERM), .end(.exited(status: 1))])
    }

    @Test func `a replacement reports to the old server when the replacement's worker is ready`() {
        var state = SupervisorState(isReplacement: true)
        #expect(state.begin() == [.start, .wait(.seconds(60))])
        #expect(state.isReady() == [.confirm])
        #expect(state.isConfirmed() == [.openControl, .announce])
        #expect(state.isDue() == [])
        #expect(state.hasEnded(Self.crash) == [.report(.died(Self.crash, nil)), .start])
        #expect(state.isDue() == [])
    }

    @Test func `a replacement gives up if its worker crashes, fails or hangs`() {
        var crashing = SupervisorState(isReplacement: true)
        _ = crashing.begin()
        #expect(crashing.hasEnded(Self.crash) == [.report(.died(Self.crash, nil)), .end(.exited(status: 1))])
        var failing = SupervisorState(isReplacement: true)
        _ = failing.begin()
        #expect(failing.hasEnded(.exited(status: 2)) == [.end(.exited(status: 2))])
        var hanging = SupervisorState(isReplacement: true)
        _ = hanging.begin()
        #expect(hanging.isDue() == [.send(SIGKILL)])
    }

    @Test func `only a worker that serves can make a copy of the journal`() {
        #expect(serving().isAskedForCopy() == [.makeCopy])
        #expect(SupervisorState().isAskedForCopy() == [.refuseCopy])
        var draining = serving()
        _ = draining.isAskedToDrain()
        #expect(draining.isAskedForCopy() == [.refuseCopy])
        var stopping = serving()
        _ = stopping.receive(SIGTERM)
        #expect(stopping.isAskedForCopy() == [.refuseCopy])
    }

    private func serving() -> SupervisorState {
        var state = SupervisorState()
        _ = state.begin()
        _ = state.isReady()
        return state
    }
}
