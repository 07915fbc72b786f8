import Glibc

/// A system thread, for blocking work that must not delay the process's tasks.
package enum SystemThread {
    private final class ThreadBody {
        private var run: (() -> Void)?
        private let end: @Sendable () -> Void

        init(_ run: @escaping () -> Void, then end: @escaping @Sendable () -> Void) {
            self.run = run
            self.end = end
        }

        func perform() {
            run?()
            run = nil
            end()
        }
    }

    /// Runs a closure on a new, detached thread; returns `false` if the system has no thread left.
    ///
    /// - Parameters:
    ///   - body: The thread's work; the closure and everything that it captures move to the thread.
    ///   - end: The last step, called after the closure and its captures are released.
    package static func start(
        _ body: sending @escaping () -> Void, then end: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        let box = unsafe Unmanaged.passRetained(ThreadBody(body, then: end))
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, &attributes, Self.main, box.toOpaque())
        if failure != 0 { unsafe box.release() }
        return failure == 0
    }

    /// Suspends the calling thread for at least a number of nanoseconds.
    package static func pause(nanoseconds: Int64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = unsafe nanosleep(&time, nil)
    }

    /// Lets other ready threads run; returns immediately if no other thread is ready.
    package static func yield() {
        sched_yield()
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().perform()
        return nil
    }
}
