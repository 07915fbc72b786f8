package import UsherJSON

/// The JSON that a Swift type encodes to, as far as it is known without a value.
package indirect enum JSONSchema: Hashable, Sendable {
    /// Any value, because nothing is known of the type.
    case anything
    case boolean
    case string
    /// A whole number with a number of bits.
    case integer(bits: Int, isSigned: Bool)
    case number
    /// One of these strings.
    case texts([String])
    /// One of these whole numbers.
    case numbers([Int])
    case array(JSONSchema)
    /// An array with a fixed number of elements, each with its own schema.
    case tuple([JSONSchema])
    /// An object with arbitrary names.
    case map(JSONSchema)
    /// An object, which has no other members if it is closed.
    case object([ObjectMember], isClosed: Bool)
    /// An enum as Swift encodes it: an object whose only member is the case, with its payload.
    case choice([EnumCase])
    /// A value that may be null or missing.
    case optional(JSONSchema)
    /// A value that clients send and the server never returns.
    case secret(JSONSchema)
    /// A reference to a definition, by its name.
    case reference(String)

    package struct ObjectMember: Hashable, Sendable {
        package let name: String
        package let schema: JSONSchema
        /// A Boolean value that indicates whether the member is required.
        package let isRequired: Bool

        /// Creates a member; if `isRequired` is nil, the member is required unless its schema is optional.
        package init(_ name: String, _ schema: JSONSchema, isRequired: Bool? = nil) {
            self.name = name
            self.schema = schema
            let isOptional = if case .optional = schema { true } else { false }
            self.isRequired = isRequired ?? !isOptional
        }

        /// The schema of the member's value in a document.
        ///
        /// An optional member is not declared nullable, because code generators support only one way in which a member
        /// can be missing. The server accepts null nevertheless.
        var sent: JSONSchema {
            if case .optional(let value) = schema, !isRequired { return value }
            return schema
        }
    }

    package struct EnumCase: Hashable, Sendable {
        package let name: String
        package let payload: JSONSchema

        package init(_ name: String, _ payload: JSONSchema = .object([], isClosed: true)) {
            self.name = name
            self.payload = payload
        }

        /// A Boolean value that indicates whether the case can be written as a string.
        package var isPlain: Bool {
            guard case .object(let properties, _) = payload else { return false }
            return !properties.contains(where: \.isRequired)
        }
    }

    /// The schema with all members optional and nullable, for an object whose missing members have defaults.
    package var partial: JSONSchema {
        guard case .object(let properties, let isClosed) = self else { return self }
        return .object(
            properties.map { property in
                if case .optional = property.schema { return property }
                return ObjectMember(property.name, .optional(property.schema))
            }, isClosed: isClosed)
    }

    /// A Boolean value that indicates whether a nested type with this schema gets a definition with a name.
    var isWorthName: Bool {
        switch self {
        case .object, .choice, .texts, .numbers: true
        default: false
        }
    }
}

extension JSONSchema {
    /// Writes the schema as JSON Schema, draft 2020-12, with a prefix such as `#/$defs/` in references to definitions.
    package func write(into writer: inout JSONWriter, references prefix: String) {
        writer.beginObject()
        writeMembers(into: &writer, prefix)
        writer.endObject()
    }

    private func writeMembers(into writer: inout JSONWriter, _ prefix: String) {
        switch self {
        case .anything: break
        case .boolean: writer.member("type", "boolean")
        case .string: writer.member("type", "string")
        case .number: writer.member("type", "number")
        case .integer(let bits, let isSigned): Self.writeInteger(bits, isSigned, into: &writer)
        case .texts(let texts):
            writer.member("type", "string")
            writer.list("enum", texts) { $0.string($1) }
        case .numbers(let numbers):
            writer.member("type", "integer")
            writer.list("enum", numbers) { $0.integer($1) }
        case .array(let element):
            writer.member("type", "array")
            writer.schema("items", element, prefix)
        case .tuple(let elements):
            writer.member("type", "array")
            writer.list("prefixItems", elements) { $1.write(into: &$0, references: prefix) }
            writer.member("minItems", elements.count)
            writer.member("maxItems", elements.count)
        case .map(let value):
            writer.member("type", "object")
            writer.schema("additionalProperties", value, prefix)
        case .object(let properties, let isClosed):
            Self.writeObject(properties, isClosed: isClosed, into: &writer, prefix)
        case .choice(let cases): Self.writeChoice(cases, into: &writer, prefix)
        case .optional(let value):
            writer.list("anyOf", [value, nil]) { writer, value in
                guard let value else { return writer.raw(Array(#"{"type":"null"}"#.utf8)) }
                value.write(into: &writer, references: prefix)
            }
        case .secret(let value):
            value.writeMembers(into: &writer, prefix)
            writer.member("format", "password")
        case .reference(let name): writer.member("$ref", prefix + name)
        }
    }

    private static func writeInteger(_ bits: Int, _ isSigned: Bool, into writer: inout JSONWriter) {
        writer.member("type", "integer")
        let unused = 64 - bits
        writer.key("minimum")
        writer.integer(isSigned ? Int64.min >> unused : 0)
        writer.key("maximum")
        if isSigned { writer.integer(Int64.max >> unused) } else { writer.integer(UInt64.max >> unused) }
    }

    private static func writeObject(
        _ properties: [ObjectMember], isClosed: Bool, into writer: inout JSONWriter, _ prefix: String
    ) {
        writer.member("type", "object")
        if !properties.isEmpty {
            writer.key("properties")
            writer.beginObject()
            for property in properties { writer.schema(property.name, property.sent, prefix) }
            writer.endObject()
        }
        let required = properties.filter(\.isRequired).map(\.name)
        if !required.isEmpty { writer.list("required", required) { $0.string($1) } }
        if isClosed {
            writer.key("additionalProperties")
            writer.boolean(false)
        }
    }

    /// Writes each case as an object with one member, and cases whose payload is optional also as strings.
    private static func writeChoice(_ cases: [EnumCase], into writer: inout JSONWriter, _ prefix: String) {
        let plain = cases.filter(\.isPlain).map(\.name)
        let names = plain.isEmpty ? [] : [JSONSchema.texts(plain)]
        let objects = cases.map { JSONSchema.object([ObjectMember($0.name, $0.payload)], isClosed: true) }
        // An enum without cases has no values.
        guard !cases.isEmpty else {
            writer.key("not")
            return JSONSchema.anything.write(into: &writer, references: prefix)
        }
        writer.list("anyOf", names + objects) { $1.write(into: &$0, references: prefix) }
    }
}

extension JSONWriter {
    fileprivate mutating func schema(_ name: String, _ schema: JSONSchema, _ prefix: String) {
        key(name)
        schema.write(into: &self, references: prefix)
    }

    fileprivate mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }
}
