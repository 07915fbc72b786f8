package import UsherJSON

/// The JSON that a type of Swift codes to, as far as it can be known without a value.
package indirect enum JSONSchema: Hashable, Sendable {
    /// Nothing is known of it.
    case anything
    case boolean
    case string
    /// A whole number of so many bits.
    case integer(bits: Int, isSigned: Bool)
    case number
    /// One of these texts.
    case texts([String])
    /// One of these whole numbers.
    case numbers([Int])
    case array(JSONSchema)
    /// An array of so many elements, each of its own kind.
    case tuple([JSONSchema])
    /// An object with any names.
    case map(JSONSchema)
    /// An object; one that is closed has no other members.
    case object([ObjectMember], isClosed: Bool)
    /// An enum as Swift codes it: an object with one member, the case, which has the payload.
    case choice([EnumCase])
    /// A value that may be null or left out.
    case optional(JSONSchema)
    /// A value that is sent, and never told.
    case secret(JSONSchema)
    /// A definition, by its name.
    case reference(String)

    /// A member of an object.
    package struct ObjectMember: Hashable, Sendable {
        package let name: String
        package let schema: JSONSchema
        /// True of one that may not be left out.
        package let isRequired: Bool

        /// A member.
        ///
        /// - Parameter isRequired: False of one that may be left out; by the schema unless told.
        package init(_ name: String, _ schema: JSONSchema, isRequired: Bool? = nil) {
            self.name = name
            self.schema = schema
            let isOptional = if case .optional = schema { true } else { false }
            self.isRequired = isRequired ?? !isOptional
        }

        /// The schema of its value.
        ///
        /// An optional member is not declared nullable, because generators of clients know one way in which a member is
        /// missing. A server accepts null for it all the same.
        var sent: JSONSchema {
            if case .optional(let value) = schema, !isRequired { return value }
            return schema
        }
    }

    /// A case of an enum.
    package struct EnumCase: Hashable, Sendable {
        package let name: String
        package let payload: JSONSchema

        package init(_ name: String, _ payload: JSONSchema = .object([], isClosed: true)) {
            self.name = name
            self.payload = payload
        }

        /// True of one that its bare name stands for.
        package var isPlain: Bool {
            guard case .object(let properties, _) = payload else { return false }
            return !properties.contains(where: \.isRequired)
        }
    }

    /// The same where each member may be left out, or be null, for others stand in for those that are not there.
    package var partial: JSONSchema {
        guard case .object(let properties, let isClosed) = self else { return self }
        return .object(
            properties.map { property in
                if case .optional = property.schema { return property }
                return ObjectMember(property.name, .optional(property.schema))
            }, isClosed: isClosed)
    }

    /// True of what is worth a name where other types have it.
    var isWorthName: Bool {
        switch self {
        case .object, .choice, .texts, .numbers: true
        default: false
        }
    }
}

extension JSONSchema {
    /// Appends the schema (JSON Schema, draft 2020-12).
    ///
    /// - Parameters:
    ///   - writer: Where to append.
    ///   - prefix: What stands before a definition's name in a reference, such as `#/$defs/`.
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

    /// Each case is an object with one member; those whose payload may be left out are also their bare names.
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
    /// Appends a member that is a schema.
    fileprivate mutating func schema(_ name: String, _ schema: JSONSchema, _ prefix: String) {
        key(name)
        schema.write(into: &self, references: prefix)
    }

    /// Appends a member that is an array.
    fileprivate mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }
}
