import CProcess
import Glibc

/// The crash report of an expendable process: the signal that ends it, the revision that it was at, and its stack.
///
/// It is written by a signal's handler, to a descriptor that the parent reads. The runtime's own backtracer takes a second,
/// and a static binary on Debian has none; return addresses are enough, for the parent has the same executable.
package enum CrashReporter {
    /// The signals that a crash ends with; and that by which the parent asks for a report, of a process that hangs.
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]
    /// The signal by which a parent asks a process for its report, which is then its end.
    package static let request = SIGUSR2
    private static let frameLimit: Int32 = 64
    private static let stackSize = 64 * 1024

    /// The memory of a handler, allocated before: no handler may allocate.
    @safe
    private struct Contents {
        var descriptor: Int32 = -1
        var revision = 0
        let frames = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Int(CrashReporter.frameLimit))
        let line = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
    }

    // Because nobody else uses it but a signal's handler, which is the last that runs; it is never freed.
    nonisolated(unsafe) private static let contents: UnsafeMutablePointer<Contents> = {
        let contents = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
        unsafe contents.initialize(to: Contents())
        return unsafe contents
    }()

    /// Has the signals reported from now on; to be called on the thread whose stack may overflow.
    ///
    /// - Parameter answers: The way to the parent.
    package static func start(to answers: AnswerStream) {
        unsafe contents.pointee.descriptor = answers.descriptor
        // The first call loads the unwinder, which no handler may do.
        _ = unsafe backtrace(contents.pointee.frames, frameLimit)
        // A stack that has overflowed has no room for a handler.
        var stack = unsafe stack_t()
        unsafe stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
        unsafe stack.ss_size = stackSize
        unsafe sigaltstack(&stack, nil)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in CrashReporter.end(by: signal) }
        // A handler that crashes itself is not called again.
        action.sa_flags = Int32(truncatingIfNeeded: SA_ONSTACK) | Int32(truncatingIfNeeded: SA_RESETHAND)
        for signal in crashes + [request] { unsafe sigaction(signal, &action, nil) }
        atexit { CrashReporter.report(0) }
    }

    /// Notes the revision that the process is at.
    package static func note(revision: Int) {
        unsafe contents.pointee.revision = revision
    }

    /// True for a signal that author's code brings upon itself.
    package static func isCrash(_ signal: Int32) -> Bool { crashes.contains(signal) }

    /// Ends the process as it should, without a report.
    package static func exit(_ status: Int32) -> Never {
        _exit(status)
    }

    private static func end(by signal: Int32) {
        report(signal)
        _exit(128 + signal)
    }

    /// Writes `crash SIGNAL REVISION` and the stack, a frame a line; 0 stands for an exit.
    private static func report(_ signal: Int32) {
        let line = unsafe contents.pointee.line
        var count = 0
        unsafe append("crash ", to: line, &count)
        unsafe append(Int(signal), to: line, &count)
        unsafe append(" ", to: line, &count)
        unsafe append(contents.pointee.revision, to: line, &count)
        unsafe append("\n", to: line, &count)
        let descriptor = unsafe contents.pointee.descriptor
        _ = unsafe Glibc.write(descriptor, line, count)
        let frames = unsafe backtrace(contents.pointee.frames, frameLimit)
        unsafe backtrace_symbols_fd(contents.pointee.frames, frames, descriptor)
    }

    private static func append(_ text: StaticString, to line: UnsafeMutablePointer<UInt8>, _ count: inout Int) {
        for index in 0..<text.utf8CodeUnitCount {
            unsafe line[count] = text.utf8Start[index]
            count += 1
        }
    }

    private static func append(_ number: Int, to line: UnsafeMutablePointer<UInt8>, _ count: inout Int) {
        var scale = 1
        while number / scale >= 10 { scale *= 10 }
        while scale > 0 {
            unsafe line[count] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / scale % 10)
            count += 1
            scale /= 10
        }
    }
}
