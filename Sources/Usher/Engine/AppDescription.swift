import Synchronization
package import UsherJSON

extension App {
    /// Appends what a client can know of the app beforehand as one object: its name and options, those that it may set
    /// itself where that is not all, the flows of each coordinator that a link can lead through, the events of each
    /// screen, with examples, and the screens' versions.
    ///
    /// - Parameter writer: Where to append.
    /// - Throws: `JSONError` when the options do not encode.
    package static func describe(into writer: inout JSONWriter) throws(JSONError) {
        writer.beginObject()
        writer.member("app", name)
        writer.key("options")
        try writer.encode(options)
        if case .only(let names) = clientOptions {
            writer.key("clientOptions")
            writer.beginArray()
            for name in names.sorted() { writer.string(name) }
            writer.endArray()
        }
        writer.key("flows")
        writer.beginObject()
        for host in flowHosts { describe(host, into: &writer) }
        writer.endObject()
        writer.key("screens")
        writer.beginObject()
        for screen in screens { describe(screen, into: &writer) }
        writer.endObject()
        describeVersions(into: &writer)
        writer.endObject()
    }

    /// Appends the versions of the screens beyond version 1, where there are any.
    private static func describeVersions(into writer: inout JSONWriter) {
        let later = screens.filter { $0.version != 1 }
        guard !later.isEmpty else { return }
        writer.key("versions")
        writer.beginObject()
        for screen in later {
            writer.key(screen.name)
            writer.integer(screen.version)
        }
        writer.endObject()
    }

    private static func describe<Host: FlowHost>(_ host: Host.Type, into writer: inout JSONWriter) {
        writer.key(host.name)
        writer.raw(host.flowTable.examples)
    }

    private static func describe<S: Screen>(_ screen: S.Type, into writer: inout JSONWriter) {
        writer.key(screen.name)
        writer.raw(ScreenDescription<S>.cached().events.examples)
    }
}

/// The description of a screen type, as far as it does not depend on that type's events.
protocol AnyScreenDescription: AnyObject, Sendable {
    /// The screen's name on the wire.
    var name: String { get }
    /// The screen's version.
    var version: Int { get }
    /// Names that earlier builds gave it.
    var formerNames: [String] { get }
    /// `,"screen":"…"`, with `,"version":…` where that is not 1, encoded once.
    var nameFragment: [UInt8] { get }
    /// `,"events":{…}` with an example for each event, encoded once.
    var eventsFragment: [UInt8] { get }
    /// The size of the type's last screen in its stack's JSON: a guess for the next.
    var usualSize: Int { get }

    /// Notes how many bytes a screen has got.
    func note(size: Int)
}

/// The description of a screen type, the same for all instances but those with a name of their own: its name, its events
/// and their examples.
final class ScreenDescription<S: Screen>: AnyScreenDescription {
    let name: String
    let version = S.version
    var formerNames: [String] { S.formerNames }
    let nameFragment: [UInt8]
    let eventsFragment: [UInt8]
    let events: CaseTable<S.Event>
    private let lastSize = Atomic(128)

    private init(_ name: String, _ events: CaseTable<S.Event>) {
        self.name = name
        self.events = events
        var writer = JSONWriter()
        writer.string(name)
        let later = S.version == 1 ? [] : Array(#","version":\#(S.version)"#.utf8)
        nameFragment = Array(#","screen":"#.utf8) + writer.bytes + later
        eventsFragment = Array(#","events":"#.utf8) + events.examples
    }

    /// The description of this type, made at its first use.
    static func cached() -> ScreenDescription<S> {
        Descriptions.shared.description(of: S.self) { ScreenDescription<S>(S.name, CaseTable(S.examples)) }
    }

    /// The description of a screen: its type's, or one of its own under its own name.
    ///
    /// The latter is not kept: there may be as many names as there are screens.
    static func of(_ screen: S) -> ScreenDescription<S> {
        let description = cached()
        guard let name = screen.instanceName else { return description }
        return ScreenDescription<S>(name, description.events)
    }

    var usualSize: Int { lastSize.load(ordering: .relaxed) }

    func note(size: Int) {
        // Not written where it is the same, as it mostly is: all threads read it.
        if size != usualSize { lastSize.store(size, ordering: .relaxed) }
    }

    func decode(_ event: JSONValue, _ secrets: SecretLedger) throws(Rejection) -> S.Event {
        let source = SecretSource(part: .event, range: event.range, input: nil, translation: nil)
        return try events.decode(event, as: "event", of: "the screen \"\(name)\"", from: source, secrets)
    }
}
