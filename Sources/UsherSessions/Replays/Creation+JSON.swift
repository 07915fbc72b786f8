import Usher
import UsherJSON
import UsherJournal

extension Creation {
    /// The payload of the session's first entry.
    ///
    /// - Parameter places: Where secrets stand in the options and in the link.
    func payload(_ places: SecretPlaces) -> Payload {
        var writer = JSONWriter(reservingCapacity: 128)
        writer.beginObject()
        writer.key("app")
        writer.string(app.name)
        writer.key("version")
        writer.string(app.version)
        writer.key("seed")
        writer.integer(seed)
        writer.key("options")
        var secrets = places.write(options: options, into: &writer)
        if !link.isEmpty {
            writer.key("open")
            secrets += places.write(link: link, into: &writer)
        }
        if linkHandling == .keep {
            writer.key("waits")
            writer.boolean(true)
        }
        writer.endObject()
        return Payload(json: writer.bytes, secrets: secrets)
    }

    /// Reads a session's first entry.
    ///
    /// - Throws: `JSONError` for another shape; `ReplayError` for an app that this build has not.
    init(_ json: JSONValue, _ entry: Entry, apps: [any App.Type]) throws {
        guard let name = json[member: "app"]?.string, let seed = json[member: "seed"],
            let options = json[member: "options"]
        else { throw json.error("expected app, seed and options") }
        guard let app = apps.first(where: { $0.name == name }) else { throw ReplayError.unknownApp(name) }
        self.init(
            app: app, options: Array(options.bytes), link: json[member: "open"].map { Array($0.elements) } ?? [],
            handling: json[member: "waits"]?.boolean == true ? .keep : .follow, seed: try seed.decode(UInt64.self),
            time: Timestamp(milliseconds: entry.time), isErased: entry.isErased)
    }
}
