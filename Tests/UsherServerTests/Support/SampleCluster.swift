import Glibc
import ServerCluster
import Synchronization

/// Three servers with the samples behind HAProxy without affinity, which all tests of this process share.
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
        // At exit, release the cluster so that its servers end and its folders are deleted. A forked copy of this
        // process must not do so.
        owner.store(getpid(), ordering: .relaxed)
        atexit {
            if SampleCluster.owner.load(ordering: .relaxed) == getpid() { SampleCluster.cluster.withLock { $0 = nil } }
        }
        return cluster
    }
}
