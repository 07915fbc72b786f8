import UsherJSON

/// A shown screen: its id, its owner and its JSON.
///
/// If the same screen is shown again, this is another instance. The state is accessed without exclusivity checks,
/// because no app code runs during a change.
class ScreenInstance {
    private enum Phase {
        /// The screen is in a stack. The value is the coordinator that pushed the screen.
        case shown(AnyCoordinator)
        /// The screen was removed from its stack. Calls that come too late add warnings to the former tree's warnings.
        case left(Warnings)
    }

    @safe @exclusivity(unchecked) private(set) final var id: Int
    @safe @exclusivity(unchecked) private final var phase: Phase
    // The next properties are narrow and adjacent, to save memory, because each screen of each session has them.
    @safe @exclusivity(unchecked) private final var size: UInt32 = 0
    /// Whether the screen's bytes in the JSON of its stack are outdated.
    @safe @exclusivity(unchecked) private(set) final var isStale = true
    /// Whether the screen is a barrier: the user cannot go back to the screens below it.
    @safe @exclusivity(unchecked) private final var isBarrier = false
    /// The way in which the screen is shown, which changes when the screen below leaves.
    @safe @exclusivity(unchecked) private(set) final var shown: Shown
    /// The digest of the screen's id, name, path and way of being shown, without its state; 0 until the screen is
    /// encoded.
    @safe @exclusivity(unchecked) private(set) final var digest: UInt64 = 0
    /// The tree's digest after this screen was added to the digest.
    @safe @exclusivity(unchecked) private(set) final var digestAfter: UInt64 = 0
    @safe @exclusivity(unchecked) private final var barring: BackRefusal?
    let origin: SourceLocation
    let description: any AnyScreenDescription
    /// The replacement that the client sees; nil if the client can draw the screen.
    final let substitute: ScreenSubstitute?

    init(
        _ description: any AnyScreenDescription, at placement: Placement, by owner: consuming AnyCoordinator,
        for audience: borrowing SessionAudience
    ) {
        self.description = description
        substitute = audience.substitute(for: description)
        id = placement.id
        phase = .shown(consume owner)
        shown = placement.shown
        origin = placement.origin
    }

    /// The coordinator that pushed the screen; nil after the screen has left, so that the instance keeps nothing alive.
    final var owner: AnyCoordinator? {
        guard case .shown(let owner) = phase else { return nil }
        return owner
    }

    /// The warnings for calls that come after the screen has left.
    final var lateWarnings: Warnings? {
        guard case .left(let warnings) = phase else { return nil }
        return warnings
    }

    /// The number of the screen's bytes in the JSON of its stack; 0 until the screen is encoded.
    final var byteCount: Int { Int(size) }

    /// The reason why the user cannot go back, as of the last encoding.
    final var backRefusal: String? { barring?.reason }

    /// The screen's name on the wire, even if a replacement is shown.
    final var name: String { description.name }

    /// The description of the screen that the client sees.
    final var shownDescription: any AnyScreenDescription { substitute?.description ?? description }

    /// The screen, if the client could draw neither the screen nor a fallback when the screen was last encoded.
    final var undrawable: UndrawableScreen? {
        guard let substitute, substitute.screen == nil else { return nil }
        return UndrawableScreen(name: name, version: description.version)
    }

    /// The reason why the user cannot close the screen's modal; by default the same as for going back.
    var dismissalRefusal: String? { backRefusal }

    /// The type of the screen; nil if the instance has no typed screen.
    var type: (any Screen.Type)? { nil }

    /// Decodes an event, and runs the closure for events as the body of an input.
    func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {}

    /// The examples of the screen's events; if an example does not encode, its element is the error.
    var exampleEvents: [Result<WireExample, JSONError>] { [] }

    /// Appends the screen's state as one JSON value.
    func encodeState(into writer: inout JSONWriter) throws(JSONError) {}

    /// Finds the replacement for the screen in its current state.
    func update(_ substitute: ScreenSubstitute) {}

    /// The reason why the user cannot go back, according to the screen itself.
    var ownBackRefusal: String? { nil }

    /// The view model that was pushed with the screen.
    var kept: AnyObject? { nil }

    /// Releases only the closure, to find out what the closure retained.
    func dropHandler() {}

    /// Releases the coordinator, the screen, the closure and the view model; later calls add warnings to `warnings`.
    func leave(_ warnings: Warnings) {
        phase = .left(warnings)
    }

    /// Appends the screen's entry in the stack, followed by a comma.
    func encode(into writer: inout JSONWriter) throws(JSONError) {
        let start = writer.bytes.count
        let path = owner?.node?.path ?? ""
        isStale = false
        writer.bytes.reserveCapacity(start + description.usualSize)
        if let substitute { update(substitute) }
        writeHeading(path.utf8.count > Node.shownPathLimit ? Node.shortened(path) : path, into: &writer)
        if let substitute { try encode(substitute, into: &writer) } else { try encodeState(into: &writer) }
        writer.endObject()
        writer.bytes.append(UInt8(ascii: ","))
        size = UInt32(truncatingIfNeeded: writer.bytes.count - start)
        description.note(size: byteCount)
        let reason =
            isBarrier
            ? "the steps before this screen are complete, so the user cannot go back to them" : shownBackRefusal
        barring = reason.map { BackRefusal($0) }
        if digest == 0 { updateDigest(path) }
    }

    final func becomeFirst(shown: Shown) {
        self.shown = shown
        digest = 0
    }

    /// Sets the id to the recorded id of this screen, or to a new id if the current id was recorded for another screen.
    final func renumber(_ id: Int) {
        self.id = id
        digest = 0
    }

    final func becomeBarrier() { isBarrier = true }

    final func markStale() { isStale = true }

    final func noteDigest(after state: UInt64) {
        digestAfter = state
    }

    final func resetEncoding() {
        size = 0
        isStale = true
    }

    /// Begins the entry, up to the value of its last member, the state.
    private func writeHeading(_ path: String, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key(.id)
        writer.integer(id)
        writer.part(shownDescription.nameFragment)
        writer.key(.coordinator)
        writer.string(path)
        writer.part(shown.fragment)
    }

    private var shownBackRefusal: String? {
        guard let substitute else { return ownBackRefusal }
        return substitute.screen.map { $0.backRefusal } ?? ownBackRefusal
    }

    private func encode(_ substitute: ScreenSubstitute, into writer: inout JSONWriter) throws(JSONError) {
        guard let shown = substitute.screen else { return try encodeState(into: &writer) }
        try writer.encode(shown)
    }

    private func updateDigest(_ path: String) {
        var digest = Digest()
        digest.add(id)
        digest.add(name)
        digest.add(path)
        digest.add(shown.rawValue)
        self.digest = digest.value
    }
}

/// The reason why the user cannot go back; a class, to save memory, because almost no screen has such a reason.
private final class BackRefusal {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A shown screen of a known type.
class TypedScreenInstance<S: Screen>: ScreenInstance {
    /// The typed description, stored because a cast at each event would cost more.
    ///
    /// The property is the first one, so that its offset does not depend on the screen's size.
    fileprivate final let typedDescription: ScreenDescription<S>
    /// The screen with its current state; nil after the screen has left, so that a `Handle` keeps nothing alive.
    ///
    /// Written as `Optional`: `S?` would first be nil and then be assigned, which looks up the type at run time.
    private(set) final var screen: Optional<S>

    init(
        _ screen: consuming S, at placement: Placement, by owner: consuming AnyCoordinator,
        for audience: borrowing SessionAudience
    ) {
        typedDescription = ScreenDescription<S>.of(screen)
        self.screen = .some(consume screen)
        super.init(typedDescription, at: placement, by: consume owner, for: audience)
    }

    final func change(to screen: S) {
        self.screen = screen
    }

    override final var type: (any Screen.Type)? {
        guard let wrapper = S.self as? any ScreenWrapper.Type else { return S.self }
        return wrapper.wrapped
    }

    override final var ownBackRefusal: String? { screen?.backRefusal }

    override final var dismissalRefusal: String? {
        // The wrapper can replace only the screen's own reason, not the reason of a barrier or a replacement.
        guard backRefusal == ownBackRefusal, let wrapper = screen as? any ScreenWrapper else { return backRefusal }
        return wrapper.dismissalRefusal
    }

    override final var exampleEvents: [Result<WireExample, JSONError>] {
        (screen as? any ScreenWrapper).map { $0.exampleEvents } ?? WireExample.all(S.examples)
    }

    override final func encodeState(into writer: inout JSONWriter) throws(JSONError) {
        // Use optional chaining, because a copy of the optional would look up its type at run time.
        try screen?.encode(into: &writer)
    }

    override final func update(_ substitute: ScreenSubstitute) {
        if let screen { substitute.update(for: screen, named: name) }
    }

    override func leave(_ warnings: Warnings) {
        super.leave(warnings)
        screen = nil
        substitute?.forget()
    }
}

/// A shown screen with the closure for its events.
final class HandledScreen<S: Screen, Receiver: AnyObject>: TypedScreenInstance<S> {
    // Unchecked, because these properties are only read and replaced, never changed in place.
    /// The view model; nil if events go to the coordinator.
    @safe @exclusivity(unchecked) private var viewModel: Receiver?
    /// The closure for events, which is called with the receiver and should capture nothing.
    @safe @exclusivity(unchecked) private var handler: ((Receiver, S.Event) throws -> Void)?

    init(
        _ screen: consuming S, keeping viewModel: consuming Receiver?, at placement: Placement,
        by owner: consuming AnyCoordinator, for audience: borrowing SessionAudience,
        _ handler: consuming @escaping (Receiver, S.Event) throws -> Void
    ) {
        // The parameters are consumed, because the optimizer cannot move a parameter that must survive a call such as
        // `super.init`.
        self.viewModel = consume viewModel
        self.handler = consume handler
        super.init(consume screen, at: placement, by: consume owner, for: audience)
    }

    override var kept: AnyObject? { viewModel }

    override func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {
        guard let owner else { return }
        if let substitute, substitute.isMute, !tree.isReplaying {
            throw Rejection(
                .invalid,
                """
                the screen "\(shownDescription.name)" replaces a screen that the client cannot draw, so it has no events; \
                go back, or update the client
                """)
        }
        let event = try typedDescription.decode(event, tree.secrets)
        guard let handler, let receiver = viewModel ?? owner as? Receiver else { return }
        tree.run(with: self, closesAlert: true) { try handler(receiver, event) }
    }

    override func dropHandler() {
        handler = nil
    }

    override func leave(_ warnings: Warnings) {
        super.leave(warnings)
        handler = nil
        viewModel = nil
    }
}

extension ScreenWrapper {
    fileprivate var exampleEvents: [Result<WireExample, JSONError>] { WireExample.all(currentExamples) }
}

extension Screen {
    fileprivate func encode(into writer: inout JSONWriter) throws(JSONError) {
        try writer.encode(self)
    }
}
