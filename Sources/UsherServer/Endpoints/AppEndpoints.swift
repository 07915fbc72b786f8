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
    /// Appends a list of apps, each with all that a client can know of it beforehand.
    mutating func write(_ apps: [any App.Type]) throws(JSONError) {
        beginObject()
        key("apps")
        beginArray()
        for app in apps.sorted(by: { $0.name < $1.name }) { try app.describe(into: &self) }
        endArray()
        endObject()
    }
}
