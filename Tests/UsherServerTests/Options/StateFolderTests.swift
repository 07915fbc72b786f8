import Foundation
import Programs
import Testing

@testable import UsherServer

@Suite("The state folder of a server")
struct StateFolderTests {
    @Test func `a state folder that another server uses is reported as a temporary error`() throws {
        let folder = try TemporaryFolder()
        let state = StateFolder(folder("state"))
        let lock = try state.lock()
        let error = try #require(throws: StateFolderError.self) { try state.lock() }
        #expect(error.mayPass)
        #expect("\(error)".contains("another server uses it; name another folder with --state DIR"))
        withExtendedLifetime(lock) {}
    }

    @Test func `a state folder that cannot be written is reported with the reason`() throws {
        let folder = try TemporaryFolder()
        // A folder has the file's name, so that not even a privileged user can write the file.
        try FileManager.default.createDirectory(atPath: folder("state/lock"), withIntermediateDirectories: true)
        let error = try #require(throws: StateFolderError.self) { try StateFolder(folder("state")).lock() }
        #expect(!error.mayPass)
        #expect("\(error)".contains("Is a directory; name another folder with --state DIR"))
    }
}
