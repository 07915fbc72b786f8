import Testing
import Usher
import UsherJournal
import UsherSessions

/// Several servers on one journal, whose clock and leases a test moves.
struct ServerGroup {
    let clock = ManualClock()
    let store: SharedStore
    let journals: [SharedJournal]
    let registries: [SessionRegistry]
    let events = Observations()

    /// Starts servers.
    ///
    /// - Parameters:
    ///   - apps: The apps of each server's build, the oldest first; all have the first's where it is alone.
    ///   - tokens: The giver of sessions' tokens; their ids alone open them unless told.
    ///   - crashes: The inputs that are refused, and what makes isolated runs; none unless told.
    init(
        _ count: Int = 2, apps: [any App.Type] = [LedgerApp.self], _ configuration: SessionBounds = SessionBounds(),
        tokens: TokenIssuer? = nil, crashes: CrashSettings = CrashSettings()
    ) {
        let store = SharedStore(clock)
        let journals = (0..<count).map { SharedJournal(store, node: $0, build: apps.count > 1 ? $0 : 0) }
        self.store = store
        self.journals = journals
        registries = journals.indices.map { [clock, events] index in
            SessionRegistry(
                apps: [apps[min(index, apps.count - 1)]], configuration: configuration, journal: journals[index],
                clock: clock, tokens: tokens,
                crashes: apps.count > 1 ? CrashSettings(build: { UInt64(index) }) : crashes, observe: events.add)
        }
    }

    func open(_ app: String = "ledger", on server: Int = 0, key: String? = nil) async throws -> SessionID {
        let key = key.map { IdempotencyKey($0, fingerprint: 1) }
        return try await registries[server].open(app, key: key).session.id
    }

    /// Sends an event to a session on one of the servers.
    @discardableResult
    func send(
        _ event: String, to id: SessionID, on server: Int, key: String? = nil, if revision: Int? = nil,
        wait: Duration? = nil
    ) async throws -> Snapshot {
        try await perform(
            #"{"event":\#(event)}"#, on: id, at: server, key: key, if: revision, wait: wait)
    }

    /// Adds a line to a ledger.
    @discardableResult
    func add(_ line: String, to id: SessionID, on server: Int, key: String? = nil, if revision: Int? = nil)
        async throws -> Snapshot
    {
        try await send(#"{"add":{"_0":"\#(line)"}}"#, to: id, on: server, key: key, if: revision)
    }

    /// Has an errand run.
    @discardableResult
    func run(_ errand: String, on id: SessionID, at server: Int, wait: Duration? = nil) async throws -> Snapshot {
        try await send(#"{"run":{"_0":"\#(errand)"}}"#, to: id, on: server, wait: wait)
    }

    @discardableResult
    func perform(
        _ input: String, on id: SessionID, at server: Int, key: String? = nil, if revision: Int? = nil,
        wait: Duration? = nil
    ) async throws -> Snapshot {
        let key = key.map { IdempotencyKey($0, fingerprint: 1) }
        let precondition = revision.map { Precondition.revision(oneOf: [$0]) } ?? .none
        return try await registries[server]
            .handle(InputRequest(try action(input), if: precondition, key: key, wait: wait), on: id)
    }

    func state(of id: SessionID, on server: Int) async throws -> Snapshot {
        try await registries[server].snapshot(of: id)
    }

    /// Why a request fails; nil where it does not.
    func error<Value>(_ body: () async throws -> Value) async throws -> SessionError? {
        do {
            _ = try await body()
            return nil
        } catch let error as SessionError {
            return error
        }
    }

    /// The number of times that a server found out that it must not serve a session.
    var holds: Int { events.all.count { if case .held = $0 { true } else { false } } }

    /// The suite's time limit ends what never is.
    func until(_ condition: () async -> Bool) async {
        while !(await condition()), !Task.isCancelled { await Task.yield() }
    }

    /// All servers have what the journal has, byte for byte.
    func expectAgreement(on id: SessionID, _ location: SourceLocation = #_sourceLocation) async throws {
        let states = try await registries.asyncMap { try await $0.snapshot(of: id).withoutChanges }
        #expect(Set(states).count == 1, "\(states)", sourceLocation: location)
        let fresh = SessionRegistry(
            apps: registries[0].apps, journal: SharedJournal(store, node: 99), clock: clock)
        #expect(try await fresh.snapshot(of: id).withoutChanges == states[0], sourceLocation: location)
    }
}

extension Array {
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

extension Snapshot {
    /// The state without what the last input has changed, which a tree knows that handled it.
    fileprivate var withoutChanges: String {
        let text = text
        guard let range = text.firstRange(of: #""changes""#) else { return text }
        return String(text[..<range.lowerBound])
    }
}
