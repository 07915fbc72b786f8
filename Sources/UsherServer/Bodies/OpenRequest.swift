import Usher
import UsherJSON

/// The body of `POST /sessions`.
struct OpenRequest {
    let app: String
    /// The options as the client wrote them; an empty object where it wrote none.
    let options: [UInt8]
    /// The steps of a deep link to begin with.
    let link: [JSONValue]

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a wrong, missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        for (name, value) in json.members where !["app", "options", "open"].contains(name) {
            throw value.error("unknown member \"\(name)\"; \(Self.usage)")
        }
        guard let app = json[member: "app"] else { throw json.error("missing member \"app\"; \(Self.usage)") }
        guard let name = app.string else { throw app.error("expected the name of an app") }
        self.app = name
        link = try json[member: "open"].map { link throws(JSONError) in try InputAction.steps(link) } ?? []
        guard let options = json[member: "options"] else {
            self.options = Array("{}".utf8)
            return
        }
        guard options.kind == .object else { throw options.error("expected an object of options") }
        self.options = Array(options.bytes)
    }

    private static let usage = #"send {"app":NAME}, if need be with "options":{…} and "open":[FLOW,…]"#
}
