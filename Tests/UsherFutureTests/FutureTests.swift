import Synchronization
import Testing
import UsherFuture

@Suite struct FutureTests {
    /// The three kinds of futures with the same value.
    static let ways: [Future<Int>] = [.ready(7), .after(Event(isDone: true)) { 7 }, .async { 7 }]

    @Test("awaiting a future returns its value, whichever of the three ways created it", arguments: ways)
    func value(_ future: Future<Int>) async {
        #expect(await future.value == 7)
    }

    @Test("map transforms the value of a future, whichever of the three ways created it", arguments: ways)
    func map(_ future: Future<Int>) async {
        #expect(await future.map { "\($0 + 1)" }.value == "8")
    }

    @Test("map transforms a value that is already there without creating a task")
    func ready() {
        guard case .ready(let value) = Future.ready(7).map({ $0 + 1 }) else {
            Issue.record("the value is not there any more")
            return
        }
        #expect(value == 8)
    }

    @Test("map on a future that waits for an event creates no task")
    func after() {
        let event = Event()
        let received = Mutex<[Int]>([])
        let task = Future<Int>.after(event) { 7 }.map { $0 + 1 }.deliver { value in
            received.withLock { $0.append(value) }
        }
        #expect(task == nil)
        #expect(received.withLock { $0 } == [])
        event.finish()
        #expect(received.withLock { $0 } == [8])
    }

    @Test("a value that depends on an event can be computed asynchronously")
    func rest() async {
        let event = Event()
        let future = Future<Int>.after(event, handOver: { _ in false }, otherwise: { 7 }).map { $0 + 1 }
        let (values, receiver) = AsyncStream<Int>.makeStream()
        future.deliver { receiver.yield($0) }
        event.finish()
        #expect(await values.first { _ in true } == 8)
        #expect(await future.value == 8)
    }

    @Test("a future computes its value while the event finishes, before the code after the event runs")
    func moment() async {
        let event = Event()
        let isBeingDone = Atomic(false)
        let future = Future<Bool>.after(event) { isBeingDone.load(ordering: .relaxed) }
        async let waited = future.value
        while !event.isAwaited { await Task.yield() }
        isBeingDone.store(true, ordering: .relaxed)
        event.finish()
        isBeingDone.store(false, ordering: .relaxed)
        #expect(await waited)
    }

    @Test("a future delivers its value once, whichever of the three ways created it", arguments: ways)
    func deliver(_ future: Future<Int>) async {
        let received = Mutex<[Int]>([])
        await future.deliver { value in received.withLock { $0.append(value) } }?.value
        #expect(received.withLock { $0 } == [7])
    }

    @Test("only a future that needs asynchronous work delivers its value with a task")
    func tasks() {
        #expect(Self.ways.map { $0.deliver { _ in } == nil } == [true, true, false])
    }

    @Test("cancelling the task that delivers a value cancels the future's work")
    func cancellation() async {
        let (opened, opener) = AsyncStream<Void>.makeStream()
        let future = Future<Bool>.async {
            for await _ in opened {}
            return Task.isCancelled
        }
        let wasCancelled = Mutex(false)
        let task = future.deliver { value in wasCancelled.withLock { $0 = value } }
        task?.cancel()
        opener.finish()
        await task?.value
        #expect(wasCancelled.withLock { $0 })
    }
}

/// An operation that a test completes.
private final class Event: Completable {
    private let state: Mutex<(isDone: Bool, waiting: [@Sendable () -> Void])>

    init(isDone: Bool = false) {
        state = Mutex((isDone, []))
    }

    /// A Boolean value that indicates whether the operation has a waiter.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.waiting.append(body) }
            return state.isDone
        }
        if isDone { body() }
    }

    func finish() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for body in waiting { body() }
    }
}
