import Foundation
import Programs
import Testing
import UsherProcess

@Suite("Locks on files")
struct FileLockTests {
    @Test func `only one holder at a time has the lock`() throws {
        let folder = try TemporaryFolder()
        var first: FileLock? = try FileLock(at: folder("lock"))
        let error = #expect(throws: SystemError.self) { try FileLock(at: folder("lock")) }
        #expect(error?.isHeld == true)
        withExtendedLifetime(first) {}
        first = nil
        #expect(throws: Never.self) { try FileLock(at: folder("lock")) }
    }

    @Test func `a file that cannot be written is not reported as locked by another process`() throws {
        let folder = try TemporaryFolder()
        for path in [folder("missing/lock"), folder("")] {
            let error = try #require(throws: SystemError.self) { try FileLock(at: path) }
            #expect(!error.isHeld, "\(error)")
        }
    }
}
