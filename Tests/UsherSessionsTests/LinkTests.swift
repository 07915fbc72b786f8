import Testing
import Usher
import UsherJSON

@testable import UsherSessions

/// A link is all or nothing, and never gets in the way of what the user does.
@Suite("Links of a session")
struct LinkTests {
    @Test(arguments: [
        (#"["forbidden"]"#, "nobody goes there"), (#"["closed"]"#, "closed on Sundays"),
        (#"["huge"]"#, "65536 bytes"), (#"["endless"]"#, "64 screens"), (#"["cellar","hall"]"#, "can open this step"),
        (#"["hall","attic"]"#, "throne"),
    ])
    func `a waiting link that fails when an event lets it open is dropped, and the event is accepted`(
        link: String, words: String
    ) async throws {
        let session = try await open()
        #expect(try await session.send(#"{"open":\#(link)}"#).text.contains(#""pending":["open"]"#))
        let answer = try await session.send(#"{"event":"unlock"}"#)
        #expect(answer.revision == 3)
        #expect(answer.text.contains(#""pending":[]"#))
        #expect(answer.text.contains(words), "\(answer.text)")
        #expect(names(answer) == ["gate"])
        #expect(try await session.send(#"{"event":"walk"}"#).revision == 4)
        try await expectReplay(session)
    }

    @Test func `if a link must wait half-way, an attempt to open the link leaves the screens unchanged`() async throws {
        let session = try await open()
        try await session.send(#"{"event":"unlock"}"#)
        let answer = try await session.send(#"{"open":["hall","throne"]}"#)
        #expect(answer.text.contains(#""pending":["open"]"#))
        #expect(names(answer) == ["gate"])
        let walked = try await session.send(#"{"event":"walk"}"#)
        #expect(names(walked) == ["gate", "street"])
        #expect(walked.text.contains(#""pending":["open"]"#))
        #expect(names(try await session.send(#"{"back":true}"#)) == ["gate"])
        try await expectReplay(session)
    }

    @Test func `if a session is opened with a link that must wait half-way, the session opens and the link waits`()
        async throws
    {
        let link = try JSONDocument(parsing: Array(#"["hall","throne"]"#.utf8)).root
        let opening = try await registry().open(
            "places", options: Array(#"{"unlocked":true}"#.utf8), link: Array(link.elements))
        let (session, answer) = (opening.session, opening.snapshot)
        #expect(answer.revision == 1)
        #expect(answer.text.contains(#""pending":["open"]"#))
        #expect(names(answer) == ["gate"])
        #expect(names(try await session.send(#"{"event":"walk"}"#)) == ["gate", "street"])
        try await expectReplay(session)
        #expect(try await session.snapshot().text.contains(#""pending":["open"]"#))
    }

    @Test func `a waiting link is opened as soon as an input makes that possible`() async throws {
        let session = try await open()
        try await session.send(#"{"open":["cellar"]}"#)
        let answer = try await session.send(#"{"event":"unlock"}"#)
        #expect(names(answer) == ["gate", "cellar"])
        #expect(!answer.text.contains("warnings"))
        try await expectReplay(session)
    }

    @Test func `a link is refused if it cannot be opened and need not wait`() async throws {
        let session = try await open()
        try await session.send(#"{"event":"unlock"}"#)
        let before = try await session.snapshot().text
        guard case .rejected(let rejection, _) = try await session.error(of: #"{"open":["forbidden"]}"#) else {
            Issue.record("it was opened")
            return
        }
        #expect(rejection.kind == .refused)
        #expect(try await session.snapshot().text == before)
    }

    /// Another input may have made room for it meanwhile, or it may be another link that waits.
    @Test func `the decision to drop or keep a link is valid only at the revision of the attempt`() {
        let decision = LinkDecision(.drop("nobody goes there"), at: 7)
        #expect(decision.handling(at: 7) == .drop("nobody goes there"))
        for revision in [6, 8] { #expect(decision.handling(at: revision) == .follow) }
        for revision in [0, 1, 7] { #expect(LinkDecision.follow.handling(at: revision) == .follow) }
    }

    private func open() async throws -> Session {
        try await registry().open("places").session
    }

    private func registry() -> SessionRegistry {
        SessionRegistry(apps: [PlacesApp.self], clock: ManualClock(), random: CountingRandom())
    }

    private func names(_ snapshot: Snapshot) -> [String] {
        let stack = try? JSONDocument(parsing: snapshot.state).root[member: "stack"]
        return stack?.elements.compactMap { $0[member: "state"]?[member: "name"]?.string } ?? []
    }

    /// A refusal makes the session replay all that it was told so far.
    private func expectReplay(_ session: Session) async throws {
        let stack = names(try await session.snapshot())
        guard case .rejected = try await session.error(of: #"{"open":["nowhere"]}"#) else {
            Issue.record("the replay did not lead to the same")
            return
        }
        #expect(names(try await session.snapshot()) == stack)
    }
}
