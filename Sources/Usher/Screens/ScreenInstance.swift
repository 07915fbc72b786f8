import UsherJSON

/// One showing of a screen: its id, its owner and its JSON.
///
/// The same screen shown again is another instance.
class ScreenInstance {
    let id: Int
    /// The coordinator that pushed it; nil once the screen has left, so that nothing is kept through it.
    private(set) var owner: AnyCoordinator?
    /// Where misuse is told from its leaving on.
    private(set) var lateWarnings: Warnings?
    /// How it is shown; changes when the screen below it leaves.
    var shown: Shown
    /// The entry of the stack in JSON, without the closing brace, so that the visible screen's events can follow.
    private(set) var fragment: [UInt8] = []
    /// What the screen is and where it stands, but not its state, as a number.
    private(set) var digest: UInt64 = 0
    /// Why the user cannot go back from it, as it stood when it was encoded.
    private(set) var backRefusal: String?
    /// Whether everything below it is out of the reach of back.
    var isBarrier = false
    /// Whether the fragment no longer says what the screen is.
    var needsEncoding = true

    /// Where its closure was given.
    let origin: Origin

    init(id: Int, owner: AnyCoordinator, shown: Shown, origin: Origin) {
        self.id = id
        self.owner = owner
        self.shown = shown
        self.origin = origin
    }

    /// The screen's name on the wire.
    var name: String { "" }

    /// `,"events":{…}` with an example for each event.
    var eventsFragment: [UInt8] { [] }

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

    /// Lets go of the coordinator, of the closure and of the view model.
    ///
    /// - Parameter warnings: Where misuse is told from now on.
    func leave(_ warnings: Warnings) {
        lateWarnings = warnings
        owner = nil
    }

    /// Makes the fragment anew where it is out of date.
    ///
    /// - Returns: By how many bytes it has grown.
    func encode() throws(JSONError) -> Int {
        guard needsEncoding else { return 0 }
        var writer = JSONWriter(reservingCapacity: max(fragment.count, 128))
        writer.beginObject()
        writer.key("id")
        writer.integer(id)
        writer.key("screen")
        writer.string(name)
        let path = owner?.node?.path ?? ""
        writer.key("coordinator")
        writer.string(path)
        writer.key("shown")
        writer.string(shown.rawValue)
        writer.key("state")
        try encodeState(into: &writer)
        backRefusal = isBarrier ? "what came before this screen is done and cannot be gone back to" : ownBackRefusal
        let growth = writer.bytes.count - fragment.count
        fragment = writer.bytes
        needsEncoding = false
        updateDigest(path)
        return growth
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
