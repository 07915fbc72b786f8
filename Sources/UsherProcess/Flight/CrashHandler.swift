import CProcess
import Glibc

/// The handler of fatal signals: the dying thread writes the signal and its stack to its slot of the flight record.
///
/// When the watchdog requests it, the handler also makes a hanging thread write its stack. After a fatal signal is
/// recorded, the signal has its previous effect: it ends the process, or starts the runtime's backtrace.
enum CrashHandler {
    static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS]
    /// The signal that requests a stack: no thread blocks SIGPROF, while libdispatch's workers block most other
    /// signals.
    private static let request = SIGPROF
    /// The size of the stack on which all handlers run, including the runtime's, because after a stack overflow the
    /// normal stack is full.
    private static let stackSize = 128 * 1_024

    /// Everything that a handler uses, prepared in advance because a handler must not allocate.
    @safe
    private struct Contents {
        /// The key under which each thread stores its writer.
        var key: pthread_key_t
        /// The address at which the executable was loaded.
        var base: UInt
        /// The previous actions, by signal number.
        let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    }

    // Safe because `install` writes it before any handler is installed, and only handlers read it.
    nonisolated(unsafe) private static var contents: Contents?

    /// Installs the handlers, which find a thread's writer in the record under `key`.
    static func install(_ key: pthread_key_t) {
        // Makes a first backtrace now. The first backtrace loads the unwinder, which a handler must not do.
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

    /// Adds an alternate signal stack to this thread, and returns it for `removeStack`; nil if no stack was added.
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

    static func removeStack(_ memory: UnsafeMutableRawPointer) {
        var none = unsafe stack_t(ss_sp: nil, ss_flags: Int32(SS_DISABLE), ss_size: 0)
        unsafe sigaltstack(&none, nil)
        unsafe munmap(memory, stackSize)
    }

    /// Makes a thread write its stack into its slot; waits at most 200 ms.
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
        // A signal that another process sent says nothing about the thread that receives it.
        let isOwn = unsafe code > 0 || information?.pointee._sifields._kill.si_pid == getpid()
        if isOwn { note(.signal(signal)) }
        unsafe sigaction(signal, contents.previous + Int(signal), nil)
        // A fault recurs when the handler returns; other signals must be raised again.
        if code <= 0 || signal == SIGTRAP || signal == SIGSYS { raise(signal) }
    }

    private static func note(_ note: FlightMark.Note) {
        guard let slot, slot.sequence != 0 else { return }
        slot.note(note)
        // The unwinder may wait forever for a lock that this thread already holds. SIGALRM then ends the process.
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

    private static var slot: FlightSlot? {
        guard let key = unsafe contents?.key, let writer = unsafe pthread_getspecific(key) else { return nil }
        return unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.slot
    }
}
