import Glibc
import ServerCluster
import Synchronization

/// The three servers with the samples that all tests of this process share, behind HAProxy without affinity.
enum SampleCluster {
    static var shared: ServerCluster {
        get throws {
            try cluster.withLock { cluster in
                let started = cluster ?? Result { try start() }
                cluster = started
                return try started.get()
            }
        }
    }

    private static let cluster = Mutex<Result<ServerCluster, any Error>?>(nil)
    private static let owner = Atomic<pid_t>(0)

    private static func start() throws -> ServerCluster {
        var setup = ServerSetup()
        setup.program = "usher-postgres"
        let cluster = try ServerCluster(setup)
        // Nothing else lets go of it, so that its servers end and its folders go. A copy of this process that exits has
        // none to end.
        owner.store(getpid(), ordering: .relaxed)
        atexit {
            if SampleCluster.owner.load(ordering: .relaxed) == getpid() { SampleCluster.cluster.withLock { $0 = nil } }
        }
        return cluster
    }
}
