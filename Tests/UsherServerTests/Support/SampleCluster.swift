import Glibc
import ServerCluster

/// The three servers with the samples that all tests of this process share, behind HAProxy without affinity.
enum SampleCluster {
    static var shared: ServerCluster {
        get throws { try cluster.get() }
    }

    private static let cluster = Result {
        var setup = ServerSetup()
        setup.program = "usher-postgres"
        let cluster = try ServerCluster(setup)
        // Nothing else ends what a static variable holds.
        atexit { (try? SampleCluster.shared)?.stop() }
        return cluster
    }
}
