import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// `GET /apps`: what sessions can be opened on, with all that the server knows of the apps.
struct AppEndpoints {
    let registry: SessionRegistry
    /// Lets the operator alone ask; anybody may where nil.
    let access: Access?

    func add(to router: inout Router) {
        router.on(.get, "/apps") { [registry, access] request, _ in
            try access?.requireOperator(request)
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

/// An app as `usher apps` prints it: a line for the app, one for each coordinator with flows, one for each screen.
struct AppListing {
    private let app: JSONValue

    /// Reads what the app says of itself.
    ///
    /// - Throws: `JSONError` when its options do not encode.
    init(_ app: any App.Type) throws(JSONError) {
        var writer = JSONWriter()
        try app.describe(into: &writer)
        self.app = try JSONDocument(parsing: writer.bytes).root
    }

    var text: String {
        let head = "\(string("app"))  version \(string("version"))  options \(text(app[member: "options"]))"
        return ([head] + lines("flows", as: "flow") + lines("screens", as: "screen")).joined(separator: "\n")
    }

    private func lines(_ member: String, as kind: String) -> [String] {
        app[member: member]?.members.map { name, cases in
            let cases = cases.members.map { name, payload in
                var members = payload.members.makeIterator()
                return members.next() == nil ? name : "\(name) \(text(payload))"
            }
            return "  \(kind) \(name): \(cases.isEmpty ? "nothing" : cases.joined(separator: ", "))"
        } ?? []
    }

    private func string(_ member: String) -> String {
        app[member: member]?.string ?? ""
    }

    private func text(_ value: JSONValue?) -> String {
        value.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }
}
