package import Usher
package import UsherJSON
package import UsherSchema

/// The schemas of an app, derived from its types: options, deep links, and the states and events of its screens.
package struct AppSchemas: Sendable {
    /// A screen in the app's list.
    package struct ListedScreen: Sendable {
        package let name: String
        package let state: JSONSchema
        /// The schema of the events: the cases of an enum, empty if the screen sends no events.
        package let event: JSONSchema
        /// An example of each event, as JSON text.
        let examples: [[UInt8]]
    }

    /// A coordinator that deep links lead through.
    struct ListedHost: Sendable {
        let name: String
        let flow: JSONSchema
        /// An example of each flow, as JSON text.
        let examples: [[UInt8]]
    }

    /// The app's name in requests.
    package let name: String
    /// The schema of the options, each of which is optional.
    let options: JSONSchema
    /// The default options, as JSON text.
    let defaults: [UInt8]
    let hosts: [ListedHost]
    package let screens: [ListedScreen]
    /// The schema of a finished session's result; nil if it is unknown.
    let result: JSONSchema?
    /// The schema of the backend's messages; nil if it is unknown.
    let message: JSONSchema?
    /// The schemas of nested types, with their names.
    package let types: [(name: String, schema: JSONSchema)]

    /// Derives the schemas of an app; throws a `JSONError` if the app's options cannot be encoded.
    package init(_ app: any App.Type) throws(JSONError) {
        let description = try JSONDocument(parsing: JSONWriter.bytes(app.describe)).root
        let recorder = SchemaRecorder()
        name = app.name
        options = recorder.schema(of: app.optionsType).partial
        defaults = description[member: "options"].map { Array($0.bytes) } ?? []
        hosts = app.flowHosts.map { host in
            ListedHost(
                name: host.name, flow: recorder.schema(of: host.flowType),
                examples: Self.examples(in: description[member: "flows"]?[member: host.name]))
        }
        screens = app.screens.map { screen in
            ListedScreen(
                name: screen.name, state: recorder.schema(of: screen), event: recorder.schema(of: screen.eventType),
                examples: Self.examples(in: description[member: "screens"]?[member: screen.name]))
        }
        result = app.result.map { recorder.schema(of: $0) }
        message = (app.flowHosts.first as? any MessageReceiver.Type).map { recorder.schema(of: $0.messageType) }
        types = recorder.definitions
    }

    /// Returns each case with its example payload, as a client sends it.
    private static func examples(in cases: JSONValue?) -> [[UInt8]] {
        cases?.members.map { name, payload in JSONWriter.object { $0.member(name, raw: Array(payload.bytes)) } } ?? []
    }
}

extension App {
    fileprivate static var optionsType: Any.Type { Options.self }
}

extension FlowHost {
    fileprivate static var flowType: Any.Type { Flow.self }
}

extension Screen {
    fileprivate static var eventType: Any.Type { Event.self }
}

extension MessageReceiver {
    fileprivate static var messageType: Any.Type { Message.self }
}

extension Secret: CompositeValue {
    package static func schema(in recorder: SchemaRecorder) -> JSONSchema {
        .secret(recorder.nestedSchema(of: Value.self))
    }

    package static func sample(in recorder: SchemaRecorder) -> Secret? {
        (try? recorder.value(of: Value.self)).map { Secret($0) }
    }
}
