import JournalSubject
import Programs
import Testing
import UsherJournal
import UsherMetrics

@testable import UsherSQLite

@Suite("Metrics of a journal")
struct MetricsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `the metrics count the commits, their changes, bytes and times, and the changes that wait`() async throws
    {
        let gate = Gate()
        let journal = try Subject(in: folder, .sync, didCommit: gate.didCommit)
        let metrics = try #require(journal.journal.metrics)
        var authors = (UInt64(0)...100).map { Author($0) }
        let first = journal.journal.submit(authors[0].create())
        gate.waitForCommit()
        let others = (1...100).map { journal.journal.submit(authors[$0].create()) }
        #expect(lines(metrics).contains("usher_journal_changes_waiting 100"))
        gate.open()
        await first.wait()
        await others[0].wait()
        #expect(metrics.changes.distribution.count == 2)
        #expect(metrics.changes.distribution.sum == 101)
        #expect(metrics.bytes.distribution.sum == authors.reduce(0) { $0 + $1.head.bytes })
        #expect(metrics.times.distribution.count == 2)
        #expect(metrics.times.distribution.sum > 0)
        #expect(lines(metrics).contains("usher_journal_changes_waiting 0"))
        #expect(lines(metrics).contains("usher_journal_commit_changes_bucket{le=\"100\"} 2"))
        await journal.close()
    }

    @Test func `a change that is refused is counted as refused, not as failed`() async throws {
        let journal = try Subject(in: folder)
        let metrics = try #require(journal.journal.metrics)
        var author = Author(1)
        var other = author.forked()
        await journal.keep(author.create())
        await journal.keep(other.create())
        #expect(metrics.refusals.value == 1)
        #expect(metrics.failures.value == 0)
        #expect(metrics.changes.distribution.sum == 1)
        await journal.close()
    }

    @Test(.enabled(if: SmallDisk.canBeMounted)) func `a commit that fails is counted as failed`() async throws {
        let disk = try SmallDisk("size=300k")
        let journal = try Subject(in: disk.folder)
        let metrics = try #require(journal.journal.metrics)
        var author = Author(7)
        await journal.keep(author.create())
        let payload = "\"\(String(repeating: "x", count: 5_000))\""
        for _ in 0..<1_000 where !author.tail.isBroken { await journal.keep(author.append(payload)) }
        #expect(metrics.failures.value == 1)
        await journal.close()
    }

    private func lines(_ metrics: JournalMetrics) -> [Substring] {
        var writer = MetricsWriter()
        metrics.write(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n")
    }
}
