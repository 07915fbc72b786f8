import Usher
import UsherJSON
import UsherJournal

extension Creation {
    /// The payload of the session's first entry.
    var json: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 128)
        writer.beginObject()
        writer.key("app")
        writer.string(app.name)
        writer.key("version")
        writer.string(app.version)
        writer.key("seed")
        writer.integer(seed)
        writer.key("options")
        writer.raw(options)
        if !link.isEmpty {
            writer.key("open")
            writer.beginArray()
            for step in link { writer.raw(step.bytes) }
            writer.endArray()
        }
        if linkHandling == .keep {
            writer.key("waits")
            writer.boolean(true)
        }
        writer.endObject()
        return writer.bytes
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
            time: Timestamp(milliseconds: entry.time))
    }
}
