package import Usher
import UsherHTTP
package import UsherJSON

/// The contract as an OpenAPI 3.1 document.
///
/// The document is generated from `ContractOperation.all`, the list of problems, and the types of the apps.
package struct ContractDocument: Sendable {
    /// The document as JSON.
    package let json: [UInt8]

    /// Creates the document, with the schemas of the apps.
    ///
    /// - Throws: A `JSONError` if an app's options cannot be encoded.
    package init(
        of apps: [any App.Type], version: String, openings: ContractOpenings = ContractOpenings()
    ) throws(JSONError) {
        let operations = ContractOperation.all.map { $0.behind(openings) }
        var schemas: [AppSchemas] = []
        for app in apps.sorted(by: { $0.name < $1.name }) { schemas.append(try AppSchemas(app)) }
        var writer = JSONWriter(reservingCapacity: 64 << 10)
        try writer.object { writer throws(JSONError) in
            writer.member("openapi", "3.1.0")
            writer.object("info") { writer in
                writer.member("title", "Usher")
                writer.member("version", version)
                writer.member("description", Self.description)
            }
            writer.object("paths") { Self.writePaths(of: operations, into: &$0) }
            try writer.object("components") { writer throws(JSONError) in
                try writer.object("schemas") { writer throws(JSONError) in
                    try Self.writeSchemas(of: schemas.map { AppComponents($0) }, into: &writer)
                }
                writer.object("parameters", Self.writeParameters)
                writer.object("responses") { Self.writeRefusals(of: operations, into: &$0) }
                writer.object("securitySchemes", Self.writeSecurity)
            }
        }
        json = writer.bytes
    }

    private static let description = """
        Runs an app's navigation on the server: a session accepts events and returns the screens to show. docs/protocol.md \
        describes these requests.
        """

    private static func writePaths(of operations: [ContractOperation], into writer: inout JSONWriter) {
        var paths: [String] = []
        for operation in operations where !paths.contains(operation.path) { paths.append(operation.path) }
        for path in paths {
            writer.object(path) { writer in
                for operation in operations where operation.path == path {
                    writer.object(operation.method.rawValue.lowercased()) { operation.write(into: &$0) }
                }
            }
        }
    }

    private static func writeSchemas(
        of apps: [AppComponents], into writer: inout JSONWriter
    ) throws(JSONError) {
        for text in [SessionSchemas.all, InspectionSchemas.all] {
            for (name, schema) in try parsed(text).members {
                writer.key(name)
                writer.value(schema)
            }
        }
        writer.key("Opening")
        if apps.isEmpty {
            writer.value(try parsed(SessionSchemas.opening))
        } else {
            writer.object { $0.array("anyOf", of: apps) { $0.reference($1.reference("Opening")) } }
        }
        for app in apps { try app.write(into: &writer) }
    }

    private static func writeParameters(into writer: inout JSONWriter) {
        var written: Set<String> = []
        for parameter in ContractOperation.all.flatMap(\.parameters)
        where written.insert(parameter.component).inserted {
            writer.object(parameter.component) { parameter.write(into: &$0) }
        }
    }

    private static func writeRefusals(of operations: [ContractOperation], into writer: inout JSONWriter) {
        var written: Set<ContractRefusal> = []
        for refusal in operations.flatMap(\.refusals) where written.insert(refusal).inserted {
            writer.object(refusal.component) { refusal.write(into: &$0) }
        }
    }

    private static func writeSecurity(into writer: inout JSONWriter) {
        for scheme in ContractScheme.allCases { writer.object(scheme.rawValue) { scheme.write(into: &$0) } }
    }

    private static func parsed(_ text: String) throws(JSONError) -> JSONValue {
        try JSONDocument(parsing: Array(text.utf8)).root
    }
}
