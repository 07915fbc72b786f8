import Testing
import Usher
import UsherJSON

@Suite("Messages")
struct MessageTests {
    @Test func `the root coordinator receives a message as an input`() throws {
        let walker = try Walker(PostCoordinator())
        #expect(try walker.tell(#"{"letter":{"text":"hello"}}"#))
        #expect(try walker.tell(#""nothing""#))
        #expect(try walker.notes == ["hello"])
        #expect(walker.tree.revision == 3)
    }

    @Test(arguments: [#"{"parcel":{}}"#, #"{"letter":{"text":7}}"#, #"{"letter":{"text":"a","more":1}}"#, "7"])
    func `a message that cannot be decoded is refused, and nothing changes`(message: String) throws {
        let walker = try Walker(PostCoordinator())
        let rejection = try #require(throws: Rejection.self) { try walker.tell(message) }
        #expect(rejection.kind == .invalid)
        #expect(rejection.reason.hasPrefix("the message: "))
        #expect(!walker.tree.isBroken)
        #expect(walker.tree.revision == 1)
    }

    @Test func `a root coordinator that accepts no messages refuses each message with that reason`() throws {
        let walker = try Walker(ScriptedCoordinator())
        let rejection = try #require(throws: Rejection.self) { try walker.tell(#""hello""#) }
        #expect(rejection.kind == .invalid)
        #expect(rejection.reason.contains("ScriptedCoordinator accepts no messages"))
        #expect(!walker.tree.isBroken)
    }

    @Test func `a message that the root coordinator refuses changes nothing`() throws {
        let walker = try Walker(PostCoordinator())
        let rejection = try #require(throws: Rejection.self) { try walker.tell(#"{"letter":{"text":""}}"#) }
        #expect(rejection.kind == .refused)
        #expect(walker.tree.isBroken)
    }

    @Test func `work that a message begins belongs to no screen`() throws {
        let walker = try Walker(PostCoordinator())
        try walker.tell(#""ask""#)
        #expect(walker.pending == ["2.1 echo"])
    }

    @Test func `a coordinator's examples of flows and messages are offered to the exploration as inputs`() throws {
        let list = OfferList(of: try Walker(FrontCoordinator()).tree)
        #expect(list.offers.map(\.label) == ["link room", "message ring", "message ring (2)"])
        #expect(list.gaps == [])
    }

    @Test func `the exploration reports a coordinator without examples of messages as a gap`() throws {
        let list = OfferList(of: try Walker(PostCoordinator()).tree)
        #expect(list.gaps == ["the coordinator \"post\" has no messageExamples, so no message was tried"])
    }
}

/// A root with flows and messages that have payloads, so that neither is `CaseIterable`.
private final class FrontCoordinator: Coordinator<Never>, FlowHost, MessageReceiver {
    enum Flow: Codable { case room(number: Int) }
    enum Message: Codable { case ring(times: Int) }
    static let examples: [Flow] = [.room(number: 1)]
    static let messageExamples: [Message] = [.ring(times: 1), .ring(times: 2)]

    func open(_ flow: Flow) -> (any FlowHost)? { nil }
    func receive(_ message: Message) {}
}

private final class PostCoordinator: Coordinator<Never>, MessageReceiver {
    enum Message: Codable { case letter(text: String), ask, nothing }

    private var screen: Handle<StepScreen>?

    override func start() {
        screen = push(StepScreen()) { _, _ in }
    }

    func receive(_ message: Message) throws {
        switch message {
        case .letter(let text):
            screen?.update { $0.note = text }
            if text.isEmpty { throw Refusal("an empty letter") }
        case .ask: perform(Echo()) { _, _ in }
        case .nothing: break
        }
    }
}
