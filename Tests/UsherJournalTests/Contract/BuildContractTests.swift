import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal stores the builds that served it")
struct BuildContractTests {
    @Test(arguments: BackEnd.all)
    func `the journal keeps the latest time at which a build ran, even if an earlier time is reported later`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        let numbers: [UInt64] = [0xA1, UInt64.max]
        try await journal.note(numbers[0], at: 2_000)
        try await journal.note(numbers[1], at: 5_000, isConfirmed: true)
        try await journal.note(numbers[0], at: 1_000, isConfirmed: true)
        try await journal.note(numbers[1], at: 7_000)
        // A journal of several servers also returns the build of the calling server.
        let builds = try await journal.builds().filter { numbers.contains($0.number) }.sorted { $0.number < $1.number }
        #expect(builds.map(\.number) == numbers)
        #expect(builds.map(\.seen) == [2_000, 7_000])
        #expect(builds.map(\.confirmed) == [1_000, 5_000])
        #expect(builds.allSatisfy { !$0.isServing })
    }
}
