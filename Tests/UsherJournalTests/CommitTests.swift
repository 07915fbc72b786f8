import Synchronization
import Testing
import UsherJournal

@Suite("Commits and what waits for them")
struct CommitTests {
    @Test func `the actions that wait for a commit run once, in order`() {
        let commit = GroupCommit()
        let done = Mutex<[Int]>([])
        for number in 1...3 { commit.whenDone { done.withLock { $0.append(number) } } }
        #expect(done.withLock(\.self) == [] && !commit.isDone)
        commit.finish()
        #expect(done.withLock(\.self) == [1, 2, 3] && commit.isDone)
        commit.finish()
        #expect(done.withLock(\.self) == [1, 2, 3])
    }

    @Test func `an action that is added to a finished commit runs at once`() async {
        let commit = GroupCommit()
        commit.finish()
        let done = Mutex(false)
        commit.whenDone { done.withLock { $0 = true } }
        #expect(done.withLock { $0 })
        await commit.wait()
    }

    @Test func `a finished commit resumes all tasks that wait for it, also tasks that begin to wait later`() async {
        let commit = GroupCommit()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await commit.wait() } }
            group.addTask { commit.finish() }
        }
        await commit.wait()
        commit.finish()
    }
}
