import CProcess
import Glibc

/// A copy of this process, made by a fork, in which a piece of work is tried: it answers in some bytes, and ends.
///
/// Its memory is copied on write and its descriptors are closed, so nothing here can change for it. It has one thread, the
/// one that made it: a lock that another held stays locked there, but for the allocator's, to which the C library sees.
/// Work that waits for such a lock, loops, traps or takes much memory is ended by the system, and leaves no answer: to have
/// none must always be allowed for.
package final class ProcessCopy: Sendable {
    private let process: ChildProcess
    private let answer: Descriptor
    /// The time until which its end is waited for, by the `MonotonicClock`: one that its own alarm does not end is killed with
    /// the last reference to it.
    private let end: Int64

    /// Bytes of an answer at most: every pipe takes as many at once, whether anybody reads them or not.
    private static let answerLimit = 4_096
    /// Bytes of memory that the work may take beyond what this process has.
    private static let memory = 256 << 20

    /// Makes a copy, and has it do the work.
    ///
    /// - Parameters:
    ///   - seconds: The time that the work may take.
    ///   - work: The work; its result is the answer.
    /// - Returns: nil where the system has no process or descriptor left.
    package init?(forSeconds seconds: Int, _ work: () -> [UInt8]) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        let (reading, writing) = (Descriptor(taking: ends[0]), Descriptor(taking: ends[1]))
        let addresses = SystemFile("/proc/self/statm").fields.first.flatMap { UInt64($0) } ?? 0
        let id = usher_fork()
        if id == 0 {
            Self.limit(toSeconds: seconds, addresses &* UInt64(getpagesize()), sparing: writing.number)
            Self.end(with: work(), to: writing.number)
        }
        guard id > 0, let process = ChildProcess(forked: id) else { return nil }
        self.process = process
        answer = reading
        end = MonotonicClock.now + Int64(seconds + 1) * 1_000_000_000
    }

    /// Blocks the thread until the copy has ended, or its time is over.
    ///
    /// - Returns: The answer; nil where it did not come to one.
    package func result() -> [UInt8]? {
        guard process.wait(until: end) == .exited(status: 0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.answerLimit)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(answer.number, $0.baseAddress, $0.count) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    // MARK: In the copy

    /// Limits what the copy may use and reach, and lets every signal end it that is meant to.
    private static func limit(toSeconds seconds: Int, _ addresses: UInt64, sparing descriptor: Int32) {
        ExpendableProcess.giveWay()
        for number in [SIGALRM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
            Glibc.signal(number, SIG_DFL)
        }
        var none = SignalQueue.set(of: [])
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        ExpendableProcess.end(afterSeconds: seconds)
        let addresses = rlim_t(addresses &+ UInt64(memory))
        var limit = rlimit(rlim_cur: addresses, rlim_max: addresses)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        if descriptor > 0 { usher_close_range(0, UInt32(descriptor - 1)) }
        usher_close_range(UInt32(descriptor + 1), .max)
    }

    /// Ends the copy; nothing that this process would do at its end is done.
    private static func end(with answer: [UInt8], to descriptor: Int32) -> Never {
        guard answer.count <= answerLimit else { _exit(1) }
        let count = unsafe answer.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        _exit(count == answer.count ? 0 : 1)
    }
}
