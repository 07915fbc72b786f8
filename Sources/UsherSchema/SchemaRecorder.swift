import UsherJSON
import UsherReflection

/// Derives the schemas of types from their `Codable` conformances.
///
/// - A `Decodable` type is decoded by a decoder without data, which records the calls and returns empty values.
/// - All values of an enum without payloads are encoded.
/// - For a type that is only `Encodable`, the stored properties are used, which are what the compiler's coding encodes.
///   A custom coding is found only if the type is also `Decodable`.
package final class SchemaRecorder {
    /// The schemas of nested types with names, in the order in which they were found.
    package private(set) var definitions: [(name: String, schema: JSONSchema)] = []

    private var known: [ObjectIdentifier: JSONSchema] = [:]
    /// The types that are being recorded, each with its name if it was referenced meanwhile.
    private var open: [ObjectIdentifier: String?] = [:]
    private var names: Set<String> = []
    /// A decoded value of each type that could be decoded.
    private var values: [ObjectIdentifier: Any] = [:]

    /// Creates a recorder without schemas.
    package init() {}

    /// Returns the schema of a type itself, without a definition.
    package func schema(of type: Any.Type) -> JSONSchema {
        resolved(schema(of: type, isNamed: false))
    }

    /// Returns the schema of a nested type, which is a reference if the type gets a name.
    package func nestedSchema(of type: Any.Type) -> JSONSchema {
        schema(of: type, isNamed: true)
    }

    /// Returns the schema that a reference refers to, or another schema unchanged.
    package func resolved(_ schema: JSONSchema) -> JSONSchema {
        guard case .reference(let name) = schema else { return schema }
        return definitions.first { $0.name == name }?.schema ?? .anything
    }

    /// Returns a value of a type that was recorded; throws a `DecodingError` if there is no such value.
    package func value<Value>(of type: Value.Type, _ sample: SampleScalars = SampleScalars()) throws -> Value {
        let value: Any? =
            switch type {
            case let scalar as any ScalarValue.Type: scalar.init(sample)
            case let composite as any CompositeValue.Type: composite.sample(in: self)
            default: values[ObjectIdentifier(type)]
            }
        guard let value = value as? Value else {
            let context = DecodingError.Context(
                codingPath: [],
                debugDescription: "the schema of \(type) is unknown, because no sample decodes as this type")
            throw DecodingError.valueNotFound(type, context)
        }
        return value
    }

    private func schema(of type: Any.Type, isNamed: Bool) -> JSONSchema {
        if let scalar = type as? any ScalarValue.Type { return scalar.schema }
        if let composite = type as? any CompositeValue.Type { return composite.schema(in: self) }
        let id = ObjectIdentifier(type)
        if let schema = known[id] { return schema }
        if let name = open[id] {
            // This type contains itself, so it needs a name.
            let name = name ?? makeName(of: type)
            open[id] = .some(name)
            return .reference(name)
        }
        open[id] = .some(nil)
        let schema = recorded(type)
        let name = open.removeValue(forKey: id) ?? nil
        guard name != nil || isNamed && schema.isWorthName else { return schema }
        let definition = name ?? makeName(of: type)
        definitions.append((definition, schema))
        known[id] = .reference(definition)
        return .reference(definition)
    }

    private func recorded(_ type: Any.Type) -> JSONSchema {
        if type == Never.self { return .choice([]) }
        if let type = type as? any Encodable.Type, let schema = listed(type) { return schema }
        if let type = type as? any Decodable.Type { return record(type) }
        return type is any Encodable.Type ? stored(type) : .anything
    }

    /// Returns the name of a type without generic arguments, with a number if the name is used already.
    private func makeName(of type: Any.Type) -> String {
        let word = String(describing: type).prefix { $0 != "<" }.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        var (name, number) = (word, 1)
        while !names.insert(name).inserted {
            number += 1
            name = "\(word)\(number)"
        }
        return name
    }
}

// MARK: Enums without payloads

extension SchemaRecorder {
    private func listed<Value: Encodable>(_ type: Value.Type) -> JSONSchema? {
        guard let all = TypeShape.values(of: type) else { return nil }
        values[ObjectIdentifier(type)] = all.first
        let coded = all.compactMap { Self.json($0) }
        let texts = coded.compactMap(\.string)
        if texts.count == all.count { return .texts(texts) }
        let numbers = coded.compactMap(\.integer)
        if numbers.count == all.count { return .numbers(numbers) }
        let cases = coded.compactMap { value in
            value.members.first { $0.value.kind == .object }.map { JSONSchema.EnumCase($0.name) }
        }
        return cases.count == all.count ? .choice(cases) : nil
    }

    private static func json(_ value: some Encodable) -> JSONValue? {
        var writer = JSONWriter()
        guard (try? writer.encode(value)) != nil else { return nil }
        return try? JSONDocument(parsing: writer.bytes).root
    }
}

// MARK: Decodable types

extension SchemaRecorder {
    private func record<Value: Decodable>(_ type: Value.Type) -> JSONSchema {
        let first = recording(of: type)
        guard !first.caseNames.isEmpty else { return completed(first, of: type) }
        var recordings = [first] + first.caseNames.indices.dropFirst().map { recording(of: type, inCase: $0) }
        // A case that contains its own enum can be decoded after another case has provided a value.
        for index in recordings.indices where !recordings[index].isWhole {
            recordings[index] = recording(of: type, inCase: index)
        }
        let cases = zip(first.caseNames, recordings).compactMap { name, recording in
            recording.onlyMember(name).map { JSONSchema.EnumCase(name, $0) }
        }
        return cases.count == recordings.count ? .choice(cases) : completed(first, of: type)
    }

    /// Decodes a type, with other scalars if the type rejects the first scalars.
    private func recording<Value: Decodable>(of type: Value.Type, inCase index: Int = 0) -> Recording {
        var longest: Recording?
        for sample in SampleScalars.all {
            let recording = Recording(inCase: index)
            if let value = try? Value(from: RecordingDecoder(self, recording, sample)) {
                values[ObjectIdentifier(type)] = value
                recording.isWhole = true
                return recording
            }
            if recording.count > longest?.count ?? -1 { longest = recording }
        }
        return longest ?? Recording(inCase: index)
    }

    /// Returns the recorded schema, with the remaining stored properties if the type stopped early.
    private func completed(_ recording: Recording, of type: Any.Type) -> JSONSchema {
        guard !recording.isWhole, case .object(let asked, _) = recording.schema else { return recording.schema }
        guard case .object(let stored, _) = stored(type) else {
            return asked.isEmpty ? .anything : .object(asked, isClosed: false)
        }
        let names = asked.map(\.name)
        return .object(asked + stored.filter { !names.contains($0.name) }, isClosed: false)
    }
}

// MARK: Types that are only encodable

extension SchemaRecorder {
    private func stored(_ type: Any.Type) -> JSONSchema {
        guard let properties = TypeShape.storedProperties(of: type) else { return .anything }
        return .object(
            properties.map { JSONSchema.ObjectMember($0.name, nestedSchema(of: $0.type)) }, isClosed: false)
    }
}
