import UsherJSON
import UsherSchema

/// An app's screens and events in TypeScript, for clients with or without the module in `Clients/JavaScript`.
struct TypeScriptTypes {
    private let app: AppSchemas
    private let names: [String: String]

    init(_ app: AppSchemas) {
        self.app = app
        names = ClientNames.types(app.types.map(\.name), reserving: Self.reserved)
    }

    var text: String {
        var source = SourceText(indentation: "  ")
        source.line("// Written by `usher types \(app.name) --as typescript`: what is changed here by hand is lost.")
        source.line("")
        source.line("/** The screens of the app `\(app.name)`: what each shows, and its events with their payloads. */")
        source.block("export interface Screens") { source in
            for screen in app.screens {
                source.block("\(Self.literal(screen.name)):") { source in
                    source.line("state: \(spelling(of: screen.state));")
                    writeEvents(screen.event, into: &source)
                }
            }
        }
        source.line("")
        source.line("/** A screen of the app, told from the others by its name. */")
        source.line("export type AppScreen = {")
        source.line("  [Name in keyof Screens]: { id: number; screen: Name; state: Screens[Name][\"state\"] };")
        source.line("}[keyof Screens];")
        for type in app.types { write(type.schema, named: names[type.name] ?? type.name, into: &source) }
        return source.text
    }

    private func writeEvents(_ event: JSONSchema, into source: inout SourceText) {
        guard case .choice(let cases) = event else { return source.line("events: Record<string, unknown>;") }
        source.block("events:") { source in
            for one in cases { source.line("\(Self.literal(one.name)): \(spelling(of: one.payload));") }
        }
    }

    private func write(_ schema: JSONSchema, named name: String, into source: inout SourceText) {
        source.line("")
        if case .object(let properties, _) = schema, !properties.isEmpty {
            source.block("export interface \(name)") { source in
                for property in properties { source.line("\(member(property));") }
            }
        } else {
            source.line("export type \(name) = \(spelling(of: schema));")
        }
    }

    private func member(_ property: JSONSchema.ObjectMember) -> String {
        "\(Self.literal(property.name))\(property.isRequired ? "" : "?"): \(spelling(of: property.schema))"
    }

    private func spelling(of schema: JSONSchema) -> String {
        switch schema {
        case .anything: "unknown"
        case .boolean: "boolean"
        case .string: "string"
        case .integer, .number: "number"
        case .texts(let texts): texts.map(Self.literal).joined(separator: " | ")
        case .numbers(let numbers): numbers.map(String.init).joined(separator: " | ")
        case .array(let element): "Array<\(spelling(of: element))>"
        case .tuple(let elements): "[\(elements.map(spelling).joined(separator: ", "))]"
        case .map(let value): "Record<string, \(spelling(of: value))>"
        case .object(let properties, _):
            properties.isEmpty ? "Record<string, never>" : "{ \(properties.map(member).joined(separator: "; ")) }"
        case .choice(let cases):
            cases.isEmpty ? "never" : cases.map(object).joined(separator: " | ")
        case .optional(let value): "\(spelling(of: value)) | null"
        case .secret(let value): spelling(of: value)
        case .reference(let name): names[name] ?? name
        }
    }

    private func object(_ one: JSONSchema.EnumCase) -> String {
        "{ \(Self.literal(one.name)): \(spelling(of: one.payload)) }"
    }

    /// Names that the generated code uses besides the app's types.
    private static let reserved: Set<String> = [
        "AppScreen", "Array", "Record", "Screens", "any", "boolean", "never", "number", "string", "unknown",
    ]

    /// Returns a string literal, which TypeScript writes as JSON does.
    private static func literal(_ text: String) -> String { JSONWriter.text { $0.string(text) } }
}
