import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal stores guilty inputs")
struct GuiltyContractTests {
    @Test(arguments: BackEnd.all)
    func `guilty inputs are returned in the order in which they were added`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        #expect(try await journal.guiltyInputs().isEmpty)
        let inputs =
            [GuiltyInput.of(nil, .creation, upon: 0)]
            + GuiltyInput.Kind.allCases.map { kind in
                GuiltyInput.of(Author(UInt64(kind.rawValue)).key, kind, build: UInt64.max - UInt64(kind.rawValue))
            }
        for input in inputs { try await journal.add(input) }
        #expect(try await journal.guiltyInputs() == inputs)
    }

    @Test(arguments: BackEnd.all)
    func `a limited number of the newest guilty inputs is kept, whichever inputs were deleted before`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        for number in 0..<10 { try await journal.add(.of(Author(1).key, upon: number, build: 2, at: 0)) }
        let inputs = (0...GuiltyInput.limit).map { GuiltyInput.of(Author(2).key, upon: $0) }
        for input in inputs.dropLast() { try await journal.add(input) }
        try await journal.forget(.ofBuilds(otherThan: 1, before: 1))
        #expect(try await journal.guiltyInputs() == inputs.dropLast())
        try await journal.add(inputs[GuiltyInput.limit])
        #expect(try await journal.guiltyInputs() == Array(inputs.dropFirst()))
    }

    @Test(arguments: BackEnd.all)
    func `deleting old guilty inputs of other builds keeps the guilty inputs of this build`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        let key = Author(1).key
        let inputs = [(1, 10), (2, 10), (2, 20), (3, 9), (1, 0)].map { build, time in
            GuiltyInput.of(key, upon: time, build: UInt64(build), at: Int64(time))
        }
        for input in inputs { try await journal.add(input) }
        try await journal.forget(.ofBuilds(otherThan: 1, before: 20))
        #expect(try await journal.guiltyInputs() == [inputs[0], inputs[2], inputs[4]])
    }

    @Test(arguments: BackEnd.all)
    func `a guilty input can be deleted by its identity`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        let inputs = [GuiltyInput.of(Author(1).key, .replay, bytes: ""), .of(Author(2).key, .replay, bytes: "")]
        for input in inputs { try await journal.add(input) }
        try await journal.forget(.only(inputs[0].identity))
        #expect(try await journal.guiltyInputs() == [inputs[1]])
        try await journal.forget(.only(inputs[0].identity))
        #expect(try await journal.guiltyInputs() == [inputs[1]])
    }

    @Test(arguments: BackEnd.all)
    func `purging sessions deletes their guilty inputs, and ending sessions keeps their guilty inputs`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        var gone = Author(1)
        var live = Author(2)
        await journal.keep(gone.create(), live.create())
        let inputs = [GuiltyInput.of(gone.key), .of(live.key), .of(nil, .creation)]
        for input in inputs { try await journal.add(input) }
        await journal.keep(gone.end(at: 4))
        #expect(try await journal.guiltyInputs() == inputs)
        #expect(try await journal.purge(endedBefore: 5, limit: 10) == 1)
        #expect(try await journal.guiltyInputs() == [inputs[1], inputs[2]])
    }
}
