/// What is the same for all instances of a screen type, as far as it does not depend on that type's events.
protocol AnyScreenDescription: AnyObject, Sendable {
    /// The screen's name on the wire.
    var name: String { get }
    /// `,"screen":"…"`, encoded once.
    var nameFragment: [UInt8] { get }
    /// `,"events":{…}` with an example for each event, encoded once.
    var eventsFragment: [UInt8] { get }
    /// How many bytes the last screen of the type had in its stack's JSON: a guess for the next.
    var usualSize: Int { get }

    /// Notes how many bytes a screen has got.
    func note(size: Int)
}
