import UsherJSON

/// One showing of a screen: its id, its owner and its JSON.
///
/// The same screen shown again is another instance.
class ScreenInstance {
    let id: Int
    /// The coordinator that pushed it; nil once the screen has left, so that nothing is kept through it.
    private(set) final var owner: AnyCoordinator?
    /// Where misuse is told from its leaving on.
    private(set) final var lateWarnings: Warnings?
    /// How it is shown; changes when the screen below it leaves.
    final var shown: Shown
    /// How many bytes of its stack's JSON are its own; 0 until it is encoded.
    private(set) final var byteCount = 0
    /// Whether these bytes no longer say what the screen is.
    final var isStale = true
    /// What the screen is and where it stands, but not its state, as a number.
    private(set) final var digest: UInt64 = 0
    /// Where the tree's digest stood when this number was added.
    final var digestAfter: UInt64 = 0
    /// Why the user cannot go back from it, as it stood when it was encoded.
    private(set) final var backRefusal: String?
    /// Whether everything below it is out of the reach of back.
    final var isBarrier = false
    /// Where its closure was given.
    let origin: Origin
    /// What is the same for all of its type.
    let description: any AnyScreenDescription

    init(_ description: any AnyScreenDescription, at placement: Placement) {
        self.description = description
        id = placement.id
        owner = placement.owner
        shown = placement.shown
        origin = placement.origin
    }

    /// The screen's name on the wire.
    final var name: String { description.name }

    /// Decodes an event and hands it to the owner.
    func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {}

    /// Appends the screen's state as one JSON value.
    func encodeState(into writer: inout JSONWriter) throws(JSONError) {}

    /// What the screen itself says against going back.
    var ownBackRefusal: String? { nil }

    /// The view model that was pushed with it.
    var kept: AnyObject? { nil }

    /// Lets go of the closure alone, to see what it held.
    func dropHandler() {}

    /// Lets go of the coordinator, of the screen, of the closure and of the view model.
    ///
    /// - Parameter warnings: Where misuse is told from now on.
    func leave(_ warnings: Warnings) {
        lateWarnings = warnings
        owner = nil
    }

    /// Appends its entry in the stack, with a comma behind it.
    func encode(into writer: inout JSONWriter) throws(JSONError) {
        let start = writer.bytes.count
        let path = owner?.node?.path ?? ""
        isStale = false
        writer.bytes.reserveCapacity(start + description.usualSize)
        writeHeading(path, into: &writer)
        try encodeState(into: &writer)
        writer.endObject()
        writer.bytes.append(Self.comma)
        byteCount = writer.bytes.count - start
        description.note(size: byteCount)
        backRefusal = isBarrier ? "what came before this screen is done and cannot be gone back to" : ownBackRefusal
        updateDigest(path)
    }

    /// Forgets its bytes, for it has left its stack.
    final func resetEncoding() {
        byteCount = 0
        isStale = true
    }

    /// Opens the entry, up to the value of its last member, the state.
    private func writeHeading(_ path: String, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key(.id)
        writer.integer(id)
        writer.bytes += description.nameFragment
        writer.key(.coordinator)
        writer.string(path)
        writer.key(.shown)
        writer.string(shown.rawValue)
        writer.key(.state)
    }

    private func updateDigest(_ path: String) {
        var digest = Digest()
        digest.add(id)
        digest.add(name)
        digest.add(path)
        digest.add(shown.rawValue)
        self.digest = digest.value
    }

    private static let comma = UInt8(ascii: ",")
}
