import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// `GET /apps`: what sessions can be opened on.
struct AppEndpoints {
    let registry: SessionRegistry

    func add(to router: inout Router) {
        router.on(.get, "/apps") { [registry] _, _ in
            var writer = JSONWriter()
            try writer.write(registry.apps)
            return .json(writer.bytes)
        }
    }
}

extension JSONWriter {
    /// Appends a list of apps, each with its options as an example.
    mutating func write(_ apps: [any App.Type]) throws(JSONError) {
        beginObject()
        key("apps")
        beginArray()
        for app in apps.sorted(by: { $0.name < $1.name }) { try write(app) }
        endArray()
        endObject()
    }

    private mutating func write(_ app: (some App).Type) throws(JSONError) {
        beginObject()
        key("app")
        string(app.name)
        key("version")
        string(app.version)
        key("options")
        try encode(app.options)
        endObject()
    }
}
