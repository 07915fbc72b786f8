package import Usher
package import UsherJSON
package import UsherSchema

/// The schemas of an app, taken from its types: what a session is opened with, where links lead, and what each screen shows
/// and sends.
package struct AppSchemas: Sendable {
    /// A screen that the app lists.
    package struct ListedScreen: Sendable {
        package let name: String
        package let state: JSONSchema
        /// An enum's cases; of none where it sends nothing.
        package let event: JSONSchema
        /// An example of each event, as JSON.
        let examples: [[UInt8]]
    }

    /// A coordinator that links lead through.
    struct ListedHost: Sendable {
        let name: String
        let flow: JSONSchema
        /// An example of each flow, as JSON.
        let examples: [[UInt8]]
    }

    /// The app's name on the wire.
    package let name: String
    /// The options, of which each may be left out.
    let options: JSONSchema
    /// The options of a session that names none, as JSON.
    let defaults: [UInt8]
    let hosts: [ListedHost]
    package let screens: [ListedScreen]
    /// The result of a session that finished; nil where it is not known.
    let result: JSONSchema?
    /// The messages of a backend; nil where they are not known.
    let message: JSONSchema?
    /// The types within these, by their names.
    package let types: [(name: String, schema: JSONSchema)]

    /// Reads an app's types.
    ///
    /// - Throws: `JSONError` when its options do not encode.
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

    /// Each case with an example, as a client sends it.
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
