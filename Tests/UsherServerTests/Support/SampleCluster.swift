import Glibc
import ServerCluster
import Synchronization

/// The three servers with the samples that all tests of this process share, behind HAProxy without affinity.
enum SampleCluster {
    static var shared: ServerCluster {
        get throws { try cluster.get() }
    }

    private static let cluster = Result {
        var setup = ServerSetup()
        setup.program = "usher-postgres"
        let cluster = try ServerCluster(setup)
        // Nothing else ends what a static variable holds. A copy of this process that exits has none to end.
        SampleCluster.owner.store(getpid(), ordering: .relaxed)
        atexit {
            if SampleCluster.owner.load(ordering: .relaxed) == getpid() { (try? SampleCluster.shared)?.stop() }
        }
        return cluster
    }

    private static let owner = Atomic<pid_t>(0)
}
