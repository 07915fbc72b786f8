import Synchronization
package import UsherJSON

extension App {
    /// Appends a description of the app for clients as one object.
    ///
    /// - Throws: `JSONError` if the options do not encode.
    package static func describe(into writer: inout JSONWriter) throws(JSONError) {
        writer.beginObject()
        writer.member("app", name)
        writer.key("options")
        try writer.encode(options)
        if case .only(let names) = clientOptions {
            writer.member("clientOptions", names.sorted())
        }
        writer.object("flows") { writer in for host in flowHosts { describe(host, into: &writer) } }
        writer.object("screens") { writer in for screen in screens { describe(screen, into: &writer) } }
        describeVersions(into: &writer)
        writer.endObject()
    }

    private static func describeVersions(into writer: inout JSONWriter) {
        let later = screens.filter { $0.version != 1 }
        guard !later.isEmpty else { return }
        writer.object("versions") { writer in
            for screen in later { writer.member(screen.name, screen.version) }
        }
    }

    private static func describe<Host: FlowHost>(_ host: Host.Type, into writer: inout JSONWriter) {
        writer.member(host.name, raw: host.flowTable.examples)
    }

    private static func describe<S: Screen>(_ screen: S.Type, into writer: inout JSONWriter) {
        writer.member(screen.name, raw: ScreenDescription<S>.cached().events.examples)
    }
}

/// The description of a screen type, without the parts that depend on the type of its events.
protocol AnyScreenDescription: AnyObject, Sendable {
    var name: String { get }
    var version: Int { get }
    var formerNames: [String] { get }
    /// The bytes `,"screen":"…"`, encoded once. If the version is not 1, `,"version":…` follows.
    var nameFragment: [UInt8] { get }
    /// The bytes `,"events":{…}` with an example of each event, encoded once.
    var eventsFragment: [UInt8] { get }
    /// The size in bytes of the last encoded screen of this type, as an estimate for the next screen.
    var usualSize: Int { get }

    func note(size: Int)
}

/// The description of a screen type, shared by all instances without an instance name.
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

    static func cached() -> ScreenDescription<S> {
        Descriptions.shared.description(of: S.self) { ScreenDescription<S>(S.name, CaseTable(S.examples)) }
    }

    /// Returns the shared description of a screen's type, or a new one if the screen has an instance name.
    ///
    /// A description with an instance name is not cached, because there may be as many names as screens.
    static func of(_ screen: S) -> ScreenDescription<S> {
        let description = cached()
        guard let name = screen.instanceName else { return description }
        return ScreenDescription<S>(name, description.events)
    }

    var usualSize: Int { lastSize.load(ordering: .relaxed) }

    func note(size: Int) {
        // Store only a changed size, which is rare, because all threads read the size.
        if size != usualSize { lastSize.store(size, ordering: .relaxed) }
    }

    func decode(_ event: JSONValue, _ secrets: SecretLedger) throws(Rejection) -> S.Event {
        let source = SecretSource(part: .event, range: event.range, input: nil, translation: nil)
        return try events.decode(event, as: "event", of: "the screen \"\(name)\"", from: source, secrets)
    }
}
