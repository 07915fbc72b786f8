import Foundation
import Synchronization
import Testing
import UsherProcess

@Suite("A copy of the process", .timeLimit(.minutes(5)))
struct ProcessCopyTests {
    @Test func `its work is answered, and nothing here has changed`() throws {
        let count = Mutex(1)
        let copy = try #require(
            ProcessCopy(forSeconds: 10) {
                count.withLock { $0 += 1 }
                return Array("\(count.withLock { $0 }) \(getpid())".utf8)
            })
        let answer = String(decoding: try #require(copy.result()), as: UTF8.self)
        #expect(answer.hasPrefix("2 ") && answer != "2 \(getpid())")
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `it reaches no file or connection of this process`() throws {
        let folder = unsafe open("/", O_RDONLY)
        defer { close(folder) }
        let copy = try #require(ProcessCopy(forSeconds: 10) { [UInt8(fcntl(folder, F_GETFD) == -1 ? 1 : 0)] })
        #expect(copy.result() == [1])
        #expect(fcntl(folder, F_GETFD) != -1)
    }

    @Test func `work that traps, exits, loops, sleeps through its alarm or says too much has no answer`() throws {
        let works: [@Sendable () -> [UInt8]] = [
            { preconditionFailure("in the copy") },
            { exit(0) },
            {
                while getpid() > 0 {}
                return []
            },
            {
                for number in [SIGALRM, SIGXCPU] { signal(number, SIG_IGN) }
                while getpid() > 0 { pause() }
                return []
            },
            { [UInt8](repeating: 0, count: 100_000) },
            { [] },
        ]
        for work in works {
            let copy = try #require(ProcessCopy(forSeconds: 1, work))
            #expect(copy.result() == nil)
        }
    }

    @Test func `many at once each have their answer`() async throws {
        await withTaskGroup { group in
            for number in UInt8(0)..<32 {
                group.addTask {
                    let copy = ProcessCopy(forSeconds: 30) { [number] }
                    let answer = copy?.result()
                    #expect(answer == [number])
                }
            }
        }
    }
}
