import Synchronization
import Usher

/// The misuses of a session's continuations and streams, on any thread, since the end of the newest input.
final class MisuseReports: Sendable {
    private struct Reports {
        var refusal: Rejection?
        var warnings: [String] = []
    }

    private let reports = Mutex(Reports())
    /// A Boolean value that indicates whether there are reports, so that an input without reports takes no lock.
    private let exist = Atomic(false)

    /// Makes the current or the next input fail.
    func refuse(_ rejection: Rejection) {
        reports.withLock { $0.refusal = $0.refusal ?? rejection }
        exist.store(true, ordering: .releasing)
    }

    /// Adds a warning to the answer to the current or the next input.
    func warn(_ warning: String) {
        reports.withLock { $0.warnings.append(warning) }
        exist.store(true, ordering: .releasing)
    }

    /// Removes all reports, and returns the warnings or throws the first refusal.
    func take() throws -> [String] {
        guard exist.load(ordering: .relaxed) else { return [] }
        exist.store(false, ordering: .relaxed)
        let taken = reports.withLock { reports in
            defer { reports = Reports() }
            return reports
        }
        if let refusal = taken.refusal { throw refusal }
        return taken.warnings
    }
}
