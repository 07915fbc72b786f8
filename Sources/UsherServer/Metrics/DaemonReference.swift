import MicroHTTPD
import Synchronization

/// The daemon in front of an application, once there is one.
///
/// It does not keep the daemon: that one keeps the application.
package final class DaemonReference: Sendable {
    private struct Reference {
        weak var daemon: Daemon?
    }

    private let reference = Mutex(Reference())

    /// There is no daemon yet.
    package init() {}

    /// The daemon, while there is one.
    var daemon: Daemon? {
        get { reference.withLock { $0.daemon } }
        set { reference.withLock { $0.daemon = newValue } }
    }
}
