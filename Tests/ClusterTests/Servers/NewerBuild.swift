import Programs
import ServerCluster
import Testing

/// Another build of the servers' program, which refuses numbers that the first accepts.
struct NewerBuild {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder("newer")
        // A build is known by its bytes. No process may run a file that is open to be written, as this one's would be in
        // each that it starts meanwhile.
        let script = #"cp "$1" "$2" && echo >> "$2""#
        let copy = try Program.run(["sh", "-c", script, "sh", "\(Program.products)/ClusterProgram", path])
        #expect(copy.status == 0, "\(copy.error)")
    }

    /// Has a server run it.
    ///
    /// - Parameter divisor: It refuses numbers that are divisible by this one.
    func deploy(to server: ClusterServer, refusing divisor: Int?) throws {
        var setup = server.setup
        setup.program = path
        setup.environment["USHER_TEST_REFUSED"] = divisor.map { "\($0)" }
        #expect(server.stop() == 0)
        try server.start(setup)
    }
}
