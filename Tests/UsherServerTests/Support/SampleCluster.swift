import Glibc
import ServerCluster
import Synchronization

/// The three servers with the samples that all tests of this process share, behind HAProxy without affinity.
enum SampleCluster {
    static var shared: ServerCluster {
        get throws { try cluster.withLock { try ($0 ?? start(into: &$0)).get() } }
    }

    private static let cluster = Mutex<Result<ServerCluster, any Error>?>(nil)
    private static let owner = Atomic<pid_t>(0)

    private static func start(
        into cluster: inout sending Result<ServerCluster, any Error>?
    ) -> Result<ServerCluster, any Error> {
        var setup = ServerSetup()
        setup.program = "usher-postgres"
        let started = Result { [setup] in try ServerCluster(setup) }
        cluster = started
        owner.store(getpid(), ordering: .relaxed)
        // Nothing else lets go of it, so that its servers end and its folders go. A copy of this process that exits has
        // none to end.
        atexit {
            if SampleCluster.owner.load(ordering: .relaxed) == getpid() { SampleCluster.cluster.withLock { $0 = nil } }
        }
        return started
    }
}
