public import Testing
public import Usher
import UsherJSON

extension AppUnderTest {
    /// Sends an event without payload from the screen with an instance id, by default from the visible screen.
    public func send(_ event: String, from screen: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        send(json: TestJSON.string(event), from: screen, sourceLocation)
    }

    /// Sends an event with a payload that encodes to a JSON object.
    ///
    /// ```swift
    /// app.send("showDetail", ["id": 2])
    /// ```
    ///
    /// The event comes from the screen with an instance id, by default from the visible screen.
    public func send(
        _ event: String, _ payload: some Encodable, from screen: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let payload = encode(payload, sourceLocation) else { return }
        send(json: "{\(TestJSON.string(event)):\(payload)}", from: screen, sourceLocation)
    }

    /// Sends an event from the visible screen, which must have the given type.
    ///
    /// If the screen has an `instanceName`, use `send(_:_:from:)` instead.
    ///
    /// ```swift
    /// app.send(.showDetail(id: 2), on: ListScreen.self)
    /// ```
    public func send<S: Screen>(
        _ event: S.Event, on type: S.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard visible?.name == S.name else {
            let found = visible.map { "\"\($0.name)\"" } ?? "none"
            return record("the visible screen is \(found), not \"\(S.name)\"; nothing was sent", at: sourceLocation)
        }
        guard let event = encode(event, sourceLocation) else { return }
        send(json: event, from: nil, sourceLocation)
    }

    /// Goes back from the visible screen.
    public func back(sourceLocation: SourceLocation = #_sourceLocation) {
        handle(#"{"back":true}"#, sourceLocation)
    }

    /// Reports that the user popped the screen with an instance id, by default the visible screen.
    public func popped(_ screen: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        handle(#"{"popped":\#(screen ?? visible?.id ?? 0)}"#, sourceLocation)
    }

    /// Reports that the user pulled down the modal whose first screen has an instance id, by default the topmost modal.
    public func dismissed(_ screen: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        let topmost = screens.last { !["root", "push"].contains($0.shown) }
        handle(#"{"dismissed":\#(screen ?? topmost?.id ?? 0)}"#, sourceLocation)
    }

    /// Selects a tab by its name.
    public func select(_ tab: String, sourceLocation: SourceLocation = #_sourceLocation) {
        handle(#"{"select":\#(TestJSON.string(tab))}"#, sourceLocation)
    }

    /// Opens a deep link, given by its flows from the root coordinator down.
    ///
    /// ```swift
    /// app.open(AppCoordinator.Flow.tabBar, TabBarCoordinator.Flow.chat(id: 2))
    /// app.open("tabBar", ["chat": ["id": 2]])
    /// ```
    public func open(_ steps: any Encodable..., sourceLocation: SourceLocation = #_sourceLocation) {
        let steps = steps.compactMap { encode($0, sourceLocation) }
        handle(#"{"open":[\#(steps.joined(separator: ","))]}"#, sourceLocation)
    }

    /// Sends an input as a client does (the body of `POST /sessions/{id}/events`), or in the form of the journal.
    ///
    /// An event need not be among the screen's `examples`. If the app runs in the test's process, the input can also be
    /// a message or the end of pending work. The work's id consists of the revision that began the work and the work's
    /// place among all work of this revision:
    ///
    /// ```swift
    /// app.input(#"{"screen":4,"event":"close"}"#)
    /// app.input(#"{"effect":"7.1","success":{"name":"kim"}}"#)
    /// app.input(#"{"effect":"7.2","failure":{"code":"offline","message":"no network"}}"#)
    /// app.input(#"{"timer":"8.1"}"#)
    /// app.input(#"{"refused":"9.1","reason":"not now"}"#)
    /// app.input(#"{"message":{"shipped":{"order":3}}}"#)
    /// ```
    ///
    /// For the end of an effect, the test does not run the effect; for the end of a timer, the timer need not be due.
    /// If the work is not pending, an issue is recorded.
    public func input(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) {
        handle(body, sourceLocation)
    }

    /// Sends a message to the session, as a backend does; the value encodes to the `Message` of the root coordinator.
    public func message(_ message: some Encodable, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let message = encode(message, sourceLocation) else { return }
        tell(message, sourceLocation)
    }

    /// Calls the root coordinator's `didResume(dropped:)`, as if a new build had dropped inputs.
    ///
    /// ```swift
    /// var dropped = Dropped()
    /// dropped.results = [Charge.name]
    /// app.resume(dropped: dropped)
    /// app.expectStack("n[goods, orders]")
    /// ```
    ///
    /// The session does not really drop any input. If the root coordinator throws an error, the error counts as a
    /// refusal.
    public func resume(dropped: Dropped, sourceLocation: SourceLocation = #_sourceLocation) {
        tell(dropped, sourceLocation)
    }

    private func encode(_ value: some Encodable, _ sourceLocation: SourceLocation) -> String? {
        do {
            return try TestJSON.revealingJSON(value)
        } catch {
            record("\(type(of: value)) does not encode: \(error)", at: sourceLocation)
            return nil
        }
    }
}
