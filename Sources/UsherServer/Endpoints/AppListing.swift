import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// `GET /apps`: the apps of the server, with their options, flows and screens.
struct AppEndpoints {
    let registry: SessionRegistry
    /// The operator's authentication if only the operator may list the apps; nil if anyone may.
    let access: Access?

    func add(to router: inout Router) {
        router.on(.get, "/apps") { [registry, access] request, _ in
            try access?.requireOperator(request)
            let apps = registry.apps.sorted { $0.name < $1.name }
            let listing = try JSONWriter.object { writer throws(JSONError) in
                try writer.array("apps", of: apps) { writer, app throws(JSONError) in
                    try app.describe(into: &writer)
                }
            }
            return try Response.json(listing).repeatable(for: request)
        }
    }
}

/// The description of an app that `usher apps` prints: lines for the app, its coordinators with flows, and its screens.
struct AppListing {
    private let app: JSONValue

    /// Creates the listing of an app; throws `JSONError` if the app's options do not encode.
    init(_ app: any App.Type) throws(JSONError) {
        self.app = try JSONDocument(parsing: JSONWriter.bytes(app.describe)).root
    }

    var text: String {
        let head = "\(string("app"))  options \(text(app[member: "options"]))"
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
