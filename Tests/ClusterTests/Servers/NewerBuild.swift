import Programs
import ServerCluster
import Testing

/// Another build of the servers' program, which rejects numbers that the first build accepts.
struct NewerBuild {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder("newer")
        // A build is identified by its bytes. This process must not write the file itself, because programs that it
        // starts in the meantime would inherit the open file, and then nobody could run it.
        let script = #"cp "$1" "$2" && echo >> "$2""#
        let copy = try Program.run(["sh", "-c", script, "sh", "\(Program.products)/ClusterProgram", path])
        #expect(copy.status == 0, "\(copy.error)")
    }

    /// Makes a server run the build.
    ///
    /// - Parameter divisor: The build rejects numbers that are divisible by this number.
    func deploy(to server: ClusterServer, refusing divisor: Int?) throws {
        var setup = server.setup
        setup.program = path
        setup.environment["USHER_TEST_REFUSED"] = divisor.map { "\($0)" }
        #expect(server.stop() == 0)
        try server.start(setup)
    }
}
