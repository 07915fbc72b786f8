import UsherJSON

/// One showing of a screen: its id, its owner and its JSON.
///
/// The same screen shown again is another instance.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
class ScreenInstance {
    /// The phases of its life.
    private enum Phase {
        /// In a stack, where this coordinator pushed it.
        case shown(AnyCoordinator)
        /// It keeps nothing; misuse is told to the tree that it was in.
        case left(Warnings)
    }

    @safe @exclusivity(unchecked) private(set) final var id: Int
    @safe @exclusivity(unchecked) private final var phase: Phase
    // Narrow and side by side: each screen of each session has these.
    @safe @exclusivity(unchecked) private final var size: UInt32 = 0
    /// Set while its bytes in its stack's JSON do not say what the screen is.
    @safe @exclusivity(unchecked) private(set) final var isStale = true
    /// Set once everything below it is out of the reach of back.
    @safe @exclusivity(unchecked) private final var isBarrier = false
    /// The way in which it is shown; changes when the screen below it leaves.
    @safe @exclusivity(unchecked) private(set) final var shown: Shown
    /// The digest of what the screen is and where it stands, but not of its state; 0 until it is encoded.
    @safe @exclusivity(unchecked) private(set) final var digest: UInt64 = 0
    /// The tree's digest after this one was added.
    @safe @exclusivity(unchecked) private(set) final var digestAfter: UInt64 = 0
    @safe @exclusivity(unchecked) private final var barring: BackRefusal?
    /// The place where its closure was given.
    let origin: SourceLocation
    /// The description of its type.
    let description: any AnyScreenDescription
    /// The screen that the client sees instead; nil for one that it can draw.
    final let substitute: ScreenSubstitute?

    init(_ description: any AnyScreenDescription, at placement: borrowing Placement) {
        self.description = description
        substitute = placement.audience.substitute(for: description)
        id = placement.id
        phase = .shown(placement.owner)
        shown = placement.shown
        origin = placement.origin
    }

    /// The coordinator that pushed it; nil once the screen has left, so that nothing is kept through it.
    final var owner: AnyCoordinator? {
        guard case .shown(let owner) = phase else { return nil }
        return owner
    }

    /// The warnings for misuse from its leaving on.
    final var lateWarnings: Warnings? {
        guard case .left(let warnings) = phase else { return nil }
        return warnings
    }

    /// The number of bytes of its stack's JSON that are its own; 0 until it is encoded.
    final var byteCount: Int { Int(size) }

    /// Why the user cannot go back from it, as it stood when it was encoded.
    final var backRefusal: String? { barring?.reason }

    /// The screen's name on the wire, whichever stands for it there.
    final var name: String { description.name }

    /// The description of the screen that the client sees.
    final var shownDescription: any AnyScreenDescription { substitute?.description ?? description }

    /// The screen, where the client can draw neither that nor a fallback, as it was encoded last.
    final var undrawable: UndrawableScreen? {
        guard let substitute, substitute.screen == nil else { return nil }
        return UndrawableScreen(name: name, version: description.version)
    }

    /// Why the user cannot close the modal that it is in: the reason against going back, unless the screen knows better.
    var dismissalRefusal: String? { backRefusal }

    /// The type of the screen; nil for a showing of none.
    var type: (any Screen.Type)? { nil }

    /// Decodes an event, and runs the closure for it as the body of an input.
    func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {}

    /// The examples of the events that it can send; an error for one that does not encode.
    var exampleEvents: [Result<WireExample, JSONError>] { [] }

    /// Appends the screen's state as one JSON value.
    func encodeState(into writer: inout JSONWriter) throws(JSONError) {}

    /// Finds the screen that the client sees instead, as this one stands.
    func update(_ substitute: ScreenSubstitute) {}

    /// The screen's own reason against going back.
    var ownBackRefusal: String? { nil }

    /// The view model that was pushed with it.
    var kept: AnyObject? { nil }

    /// Lets go of the closure alone, to see what it held.
    func dropHandler() {}

    /// Lets go of the coordinator, of the screen, of the closure and of the view model.
    ///
    /// - Parameter warnings: Where misuse is told from now on.
    func leave(_ warnings: Warnings) {
        phase = .left(warnings)
    }

    /// Appends its entry in the stack, with a comma behind it.
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
        let reason = isBarrier ? "what came before this screen is done and cannot be gone back to" : shownBackRefusal
        barring = reason.map { BackRefusal($0) }
        if digest == 0 { updateDigest(path) }
    }

    final func becomeFirst(shown: Shown) {
        self.shown = shown
        digest = 0
    }

    /// Takes the id that was recorded for it, or makes way for the screen that it was recorded for.
    final func renumber(_ id: Int) {
        self.id = id
        digest = 0
    }

    final func becomeBarrier() { isBarrier = true }

    /// Notes that it has to be encoded again.
    final func markStale() { isStale = true }

    /// Notes the tree's digest after its own was added.
    final func noteDigest(after state: UInt64) {
        digestAfter = state
    }

    /// Forgets its bytes, for it has left its stack.
    final func resetEncoding() {
        size = 0
        isStale = true
    }

    /// Opens the entry, up to the value of its last member, the state.
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

/// A reason against going back: an object, for hardly any screen has one.
private final class BackRefusal {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A showing of a screen of a known type.
class TypedScreenInstance<S: Screen>: ScreenInstance {
    /// The description once more with its type, for to cast it at each event costs more than to hold it; first, for its
    /// place does not depend on the screen's size then.
    fileprivate final let typedDescription: ScreenDescription<S>
    /// The screen as it stands; nil once it has left, so that an author who keeps a `Handle` keeps nothing else.
    ///
    /// `Optional` in full, for `S?` would be nil first and then be changed, which looks up the type at run time.
    private(set) final var screen: Optional<S>

    init(_ screen: S, at placement: borrowing Placement) {
        self.screen = .some(screen)
        typedDescription = ScreenDescription<S>.of(screen)
        super.init(typedDescription, at: placement)
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
        // The reason of a barrier, or of what the client sees instead, is not the wrapper's.
        guard backRefusal == ownBackRefusal, let wrapper = screen as? any ScreenWrapper else { return backRefusal }
        return wrapper.dismissalRefusal
    }

    override final var exampleEvents: [Result<WireExample, JSONError>] {
        (screen as? any ScreenWrapper).map { $0.exampleEvents } ?? WireExample.all(S.examples)
    }

    override final func encodeState(into writer: inout JSONWriter) throws(JSONError) {
        // Chained, for a copy of the optional would look up its type at run time.
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

/// A showing of a screen with the closure for its events, which is given whoever they go to: the coordinator that shows
/// the screen, or a view model that is kept with it.
final class HandledScreen<S: Screen, Receiver: AnyObject>: TypedScreenInstance<S> {
    // Unchecked, for they are only read and set.
    /// nil where events go to the coordinator.
    @safe @exclusivity(unchecked) private var viewModel: Receiver?
    /// The closure for events; their receiver is passed in, never captured.
    @safe @exclusivity(unchecked) private var handler: ((Receiver, S.Event) throws -> Void)?

    init(
        _ screen: S, keeping viewModel: Receiver?, at placement: borrowing Placement,
        _ handler: @escaping (Receiver, S.Event) throws -> Void
    ) {
        self.viewModel = viewModel
        self.handler = handler
        super.init(screen, at: placement)
    }

    override var kept: AnyObject? { viewModel }

    override func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {
        guard let owner else { return }
        if let substitute, substitute.isMute, !tree.isReplaying {
            throw Rejection(
                .invalid,
                """
                the screen "\(shownDescription.name)" stands for one that the client cannot draw, and sends no events; \
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
    /// Appends the screen's state as one JSON value.
    fileprivate func encode(into writer: inout JSONWriter) throws(JSONError) {
        try writer.encode(self)
    }
}
