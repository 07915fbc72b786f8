import UsherJSON
import UsherSchema

/// An app's schemas as components of the document, each under the app's name: `hello-bye.screens.hello.state`.
struct AppComponents {
    private let app: AppSchemas
    private let prefix: String

    init(_ app: AppSchemas) {
        self.app = app
        prefix = Self.name(app.name) + "."
    }

    /// The reference to the component with such a part of the name.
    func reference(_ part: String) -> String { "#/components/schemas/\(prefix)\(part)" }

    /// Appends all components, with their names.
    func write(into writer: inout JSONWriter) {
        component("Opening", into: &writer, writeOpening)
        component("State", into: &writer, writeState)
        component("options", into: &writer) { writer in
            write(app.options, [app.defaults], into: &writer)
        }
        for host in app.hosts {
            component("flows.\(Self.name(host.name))", into: &writer) { write(host.flow, host.examples, into: &$0) }
        }
        for screen in app.screens {
            component("screens.\(Self.name(screen.name)).state", into: &writer) { write(screen.state, into: &$0) }
            component("screens.\(Self.name(screen.name)).event", into: &writer) {
                write(screen.event, screen.examples, into: &$0)
            }
        }
        if let result = app.result { component("result", into: &writer) { write(result, into: &$0) } }
        if let message = app.message { component("message", into: &writer) { write(message, into: &$0) } }
        for type in app.types { component("types.\(type.name)", into: &writer) { write(type.schema, into: &$0) } }
    }

    /// The body that opens a session of this app.
    private func writeOpening(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "object")
            writer.object("properties") { writer in
                writer.object("app") { $0.member("const", app.name) }
                writer.orNull("options") { $0.reference(reference("options")) }
                writer.orNull("open", writeLink)
                writer.orNull("client") { $0.reference("#/components/schemas/Client") }
                for (name, schema) in [("cookie", "Cookie"), ("subject", "Subject")] {
                    writer.key(name)
                    writer.reference("#/components/schemas/\(schema)")
                }
            }
            writer.array("required") { $0.string("app") }
            writer.key("additionalProperties")
            writer.boolean(false)
        }
    }

    private func writeLink(into writer: inout JSONWriter) {
        guard !app.hosts.isEmpty else { return writer.reference("#/components/schemas/Link") }
        writer.object { writer in
            writer.member("type", "array")
            writer.key("minItems")
            writer.integer(1)
            writer.object("items") { writer in
                writer.array("anyOf") { writer in
                    for host in app.hosts { writer.reference(reference("flows.\(Self.name(host.name))")) }
                }
            }
        }
    }

    /// The knowledge of a session's state that is of this app: the screens by their names, and the result.
    private func writeState(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.object("properties") { writer in
                writer.object("stack") { writer in
                    writer.object("items") { writer in
                        writer.array("allOf") { writer in
                            for screen in app.screens { write(screen, into: &writer) }
                            // Never empty.
                            writer.reference("#/components/schemas/Screen")
                        }
                    }
                }
                if app.result != nil {
                    writer.object("ended") { writer in
                        writer.object("properties") { writer in
                            writer.key("result")
                            writer.reference(reference("result"))
                        }
                    }
                }
            }
        }
    }

    private func write(_ screen: AppSchemas.ListedScreen, into writer: inout JSONWriter) {
        writer.condition("screen", is: screen.name) { writer in
            writer.object("properties") { writer in
                writer.key("state")
                writer.reference(reference("screens.\(Self.name(screen.name)).state"))
            }
        }
    }

    private func component(_ part: String, into writer: inout JSONWriter, _ write: (inout JSONWriter) -> Void) {
        writer.key(prefix + part)
        write(&writer)
    }

    private func write(_ schema: JSONSchema, _ examples: [[UInt8]] = [], into writer: inout JSONWriter) {
        var text = JSONWriter()
        schema.write(into: &text, references: reference("types."))
        guard !examples.isEmpty else { return writer.raw(text.bytes) }
        // In front of the brace that ends it.
        text.bytes.removeLast()
        text.array("examples") { writer in
            for example in examples { writer.raw(example) }
        }
        text.endObject()
        writer.raw(text.bytes)
    }

    /// A name with nothing but what a component's name may have.
    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) ? $0 : "_" })
    }
}
