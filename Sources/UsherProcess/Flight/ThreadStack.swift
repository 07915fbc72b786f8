import CProcess
import Glibc
import Synchronization

/// The stack of another thread, which that thread writes down itself when a signal asks it to.
enum ThreadStack {
    /// Left to profilers, so no thread blocks it: libdispatch's workers block most others.
    private static let signal = SIGPROF

    // Because a signal's handler can be given nothing; one watchdog at a time takes stacks, and ends the process then.
    nonisolated(unsafe) private static var place:
        (addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, count: UnsafeMutablePointer<Atomic<UInt64>>)?

    /// Gets ready: the first backtrace of a process loads a library, which no handler may.
    static func prepare() {
        var first: UnsafeMutableRawPointer?
        unsafe _ = backtrace(&first, 1)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in ThreadStack.write() }
        action.sa_flags = SA_RESTART | SA_ONSTACK
        unsafe sigaction(signal, &action, nil)
    }

    /// Has the thread of a slot write its stack there, and adds it as text.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - thread: The system's number of the thread.
    ///   - time: Nanoseconds to wait for it; a thread that cannot run in that time has no stack.
    static func take(into slot: FlightSlot, of thread: Int, within time: Int64) {
        let frames = unsafe slot.frames
        unsafe frames.count.pointee.store(0, ordering: .relaxed)
        unsafe place = frames
        guard usher_signal_thread(getpid(), Int32(truncatingIfNeeded: thread), signal) == 0 else { return }
        let end = MonotonicClock.now &+ time
        while unsafe frames.count.pointee.load(ordering: .acquiring) == 0, MonotonicClock.now < end {
            SystemThread.pause(nanoseconds: 1_000_000)
        }
        let taken = min(unsafe Int(frames.count.pointee.load(ordering: .acquiring)), FlightSlot.frameLimit)
        // The first two are this handler and the system's trampoline.
        var lines: [String] = []
        for index in 2..<max(2, taken) {
            if let address = unsafe frames.addresses[index] { lines.append(unsafe text(of: address)) }
        }
        slot.write(stack: Array(lines.joined(separator: "\n").utf8))
    }

    /// On the thread that is asked: only what a signal's handler may do.
    private static func write() {
        guard let place = unsafe place else { return }
        let taken = unsafe backtrace(place.addresses, Int32(FlightSlot.frameLimit))
        unsafe place.count.pointee.store(UInt64(max(1, taken)), ordering: .releasing)
    }

    /// An address as `usher+0x1f00`, with the symbol where the file tells it.
    private static func text(of address: UnsafeMutableRawPointer) -> String {
        var place = unsafe usher_place()
        guard unsafe usher_find_place(address, &place) != 0, let file = unsafe place.file, let base = unsafe place.base
        else { return "0x" + String(UInt(bitPattern: address), radix: 16) }
        let path = unsafe String(cString: file)
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        let offset = String(UInt(bitPattern: address) &- UInt(bitPattern: base), radix: 16)
        guard let symbol = unsafe place.symbol else { return "\(name)+0x\(offset)" }
        return "\(name)+0x\(offset) \(unsafe String(cString: symbol))"
    }
}
