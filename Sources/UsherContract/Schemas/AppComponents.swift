import UsherJSON
import UsherSchema

/// An app's schemas as components of the document, prefixed with the app's name: `hello-bye-screens-hello-state`.
struct AppComponents {
    private let app: AppSchemas
    private let prefix: String

    init(_ app: AppSchemas) {
        self.app = app
        prefix = Self.name(app.name) + "-"
    }

    /// Returns a reference to the component whose name has this part after the prefix.
    func reference(_ part: String) -> String { "#/components/schemas/\(prefix)\(part)" }

    /// Writes all components with their names; throws a `JSONError` if an example of the app is not JSON.
    func write(into writer: inout JSONWriter) throws(JSONError) {
        writer.object(prefix + "Opening", writeOpening)
        try component("options", app.options, [app.defaults], into: &writer)
        for host in app.hosts {
            try component("flows-\(Self.name(host.name))", host.flow, host.examples, into: &writer)
        }
        for screen in app.screens {
            let part = "screens-\(Self.name(screen.name))"
            try component("\(part)-state", screen.state, into: &writer)
            try component("\(part)-event", screen.event, screen.examples, into: &writer)
        }
        if let result = app.result { try component("result", result, into: &writer) }
        if let message = app.message { try component("message", message, into: &writer) }
        for type in app.types { try component("types-\(type.name)", type.schema, into: &writer) }
    }

    /// Writes the schema of the body that opens a session of this app.
    private func writeOpening(into writer: inout JSONWriter) {
        writer.member("type", "object")
        writer.object("properties") { writer in
            writer.object("app") { writer in
                writer.member("type", "string")
                writer.member("const", app.name)
            }
            writer.reference("options", to: reference("options"))
            writer.key("open")
            writeLink(into: &writer)
            for (name, schema) in [("client", "Client"), ("cookie", "Cookie"), ("subject", "Subject")] {
                writer.reference(name, to: "#/components/schemas/\(schema)")
            }
        }
        writer.member("required", ["app"])
        writer.member("additionalProperties", false)
    }

    private func writeLink(into writer: inout JSONWriter) {
        guard !app.hosts.isEmpty else { return writer.reference("#/components/schemas/Link") }
        writer.object { writer in
            writer.member("type", "array")
            writer.member("minItems", 1)
            writer.object("items") { writer in
                writer.array("anyOf", of: app.hosts) { $0.reference(reference("flows-\(Self.name($1.name))")) }
            }
        }
    }

    private func component(
        _ part: String, _ schema: JSONSchema, _ examples: [[UInt8]] = [], into writer: inout JSONWriter
    ) throws(JSONError) {
        var text = JSONWriter()
        schema.write(into: &text, references: reference("types-"))
        if !examples.isEmpty {
            // Removes the closing brace, so that a member can follow.
            text.bytes.removeLast()
            text.array("examples", of: examples) { $0.raw($1) }
            text.endObject()
        }
        writer.component(prefix + part, try JSONDocument(written: text.bytes).root)
    }

    /// Replaces characters that component names cannot have, and dots, which code generators use as namespaces.
    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" })
    }
}
