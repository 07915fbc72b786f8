import CProcess
import Glibc

/// The handler of the signals that end a process: the thread that dies notes by which signal, in its slot of the record.
///
/// It notes its stack too, as a thread that hangs does when a watchdog asks it. After that the signal has the effect that it would have had: the end of the process, or the runtime's backtrace.
enum CrashHandler {
    static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS]
    /// The signal that asks for a stack: it is left to profilers, so no thread blocks it; libdispatch's workers block most.
    private static let request = SIGPROF
    /// A stack that has overflowed has no room for a handler; the runtime's handler runs on this one too.
    private static let stackSize = 128 * 1_024

    /// All that a handler uses, for it may allocate nothing.
    @safe
    private struct Contents {
        /// The key by which a thread finds its slot.
        var key: pthread_key_t
        /// The address at which the executable was loaded.
        var base: UInt
        /// The actions that were there before, by the number of the signal.
        let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    }

    // Because only handlers use it, and `install` before there are any.
    nonisolated(unsafe) private static var contents: Contents?

    /// Has the ends of this process noted in a record.
    ///
    /// - Parameter key: The key by which each thread finds its writer in the record.
    static func install(_ key: pthread_key_t) {
        // The first backtrace of a process loads the unwinder, which no handler may do.
        var first: UnsafeMutableRawPointer?
        unsafe _ = backtrace(&first, 1)
        var place = unsafe usher_place()
        let isFound = unsafe first.map { unsafe usher_find_place($0, &place) != 0 } ?? false
        let isFirst = unsafe contents == nil
        unsafe contents = Contents(key: key, base: isFound ? UInt(bitPattern: place.base) : 0)
        guard isFirst, let contents = unsafe contents else { return }
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_sigaction = { signal, information, _ in
            unsafe CrashHandler.handle(signal, information)
        }
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART
        for signal in signals + [request] { unsafe sigaction(signal, &action, contents.previous + Int(signal)) }
        unsafe on_exit({ status, _ in CrashHandler.note(.exit(status)) }, nil)
    }

    /// Gives this thread a stack for handlers, unless it has one.
    ///
    /// - Returns: The stack, for `removeStack`; nil if there is none to remove.
    static func addStack() -> UnsafeMutableRawPointer? {
        var stack = unsafe stack_t()
        unsafe sigaltstack(nil, &stack)
        guard unsafe stack.ss_flags & Int32(SS_DISABLE) != 0 else { return nil }
        let memory = unsafe mmap(
            nil, stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        unsafe stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: stackSize)
        unsafe sigaltstack(&stack, nil)
        return unsafe memory
    }

    /// Removes the stack of a thread that ends.
    static func removeStack(_ memory: UnsafeMutableRawPointer) {
        var none = unsafe stack_t(ss_sp: nil, ss_flags: Int32(SS_DISABLE), ss_size: 0)
        unsafe sigaltstack(&none, nil)
        unsafe munmap(memory, stackSize)
    }

    /// Has a thread write its stack into its slot; one that cannot run within 200 ms has none.
    static func takeStack(of slot: FlightSlot, in process: Int32 = getpid()) {
        slot.frameCount = 0
        guard usher_signal_thread(process, Int32(truncatingIfNeeded: slot.thread), request) == 0 else { return }
        let end = MonotonicClock.now &+ 200_000_000
        while slot.frameCount == 0, MonotonicClock.now < end { SystemThread.pause(nanoseconds: 1_000_000) }
    }

    // MARK: In a handler

    private static func handle(_ signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?) {
        guard let contents = unsafe contents else { return }
        if signal == request { return writeStack() }
        let code = unsafe information?.pointee.si_code ?? 0
        // A signal that another process has sent says nothing of the thread that it came to.
        let isOwn = unsafe code > 0 || information?.pointee._sifields._kill.si_pid == getpid()
        if isOwn { note(.signal(signal)) }
        unsafe sigaction(signal, contents.previous + Int(signal), nil)
        // A fault happens again on return; what does not is sent again.
        if code <= 0 || signal == SIGTRAP || signal == SIGSYS { raise(signal) }
    }

    private static func note(_ note: FlightMark.Note) {
        guard let slot, slot.sequence != 0 else { return }
        slot.note(note)
        // A lock that the thread holds may hold up the unwinder: SIGALRM then ends the process.
        alarm(5)
        writeStack()
        alarm(0)
    }

    private static func writeStack() {
        guard let base = unsafe contents?.base, let slot else { return }
        let frames = unsafe slot.frames
        let count = unsafe backtrace(frames, Int32(FlightSlot.frameLimit))
        for index in 0..<Int(count) {
            unsafe frames[index] = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: frames[index]) &- base)
        }
        slot.frameCount = UInt64(max(1, count))
    }

    /// The slot of this thread.
    private static var slot: FlightSlot? {
        guard let key = unsafe contents?.key, let writer = unsafe pthread_getspecific(key) else { return nil }
        return unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.slot
    }
}
