/// A record of everything that a type decoded from a `RecordingDecoder`.
final class Recording {
    /// A Boolean value that indicates whether the type was decoded successfully.
    var isWhole = false
    /// The names of an enum's cases, if the type listed its keys.
    private(set) var caseNames: [String] = []

    private enum Kind { case nothing, object, array, single }
    private enum RecordedPart {
        case schema(JSONSchema)
        case nested(Recording)
    }

    private let caseIndex: Int
    private var kind = Kind.nothing
    private var members: [(name: String, part: RecordedPart)] = []
    /// The names of the members that may be missing.
    private var optionals: Set<String> = []
    private var elements: [RecordedPart] = []
    private var isNullable = false

    /// Creates an empty record; the decoder offers the case with the index to an enum.
    init(inCase index: Int = 0) {
        caseIndex = index
    }

    /// The number of members and elements that were decoded.
    var count: Int { members.count + elements.count }

    var elementCount: Int { elements.count }

    func openObject() { kind = .object }

    func openArray() { kind = .array }

    /// Notes the names of the cases and returns the index of the case to offer.
    func list(cases names: [String]) -> Int {
        caseNames = names
        return names.indices.contains(caseIndex) ? caseIndex : 0
    }

    func noteOptional(_ name: String) {
        optionals.insert(name)
    }

    /// Notes a member's schema; keeps only the first schema of each member.
    func note(_ name: String, _ schema: JSONSchema) {
        add(name, .schema(schema))
    }

    /// Notes a member with a nested container.
    func nested(_ name: String) -> Recording {
        let recording = Recording()
        add(name, .nested(recording))
        return recording
    }

    func noteElement(_ schema: JSONSchema) {
        elements.append(.schema(schema))
    }

    func nestedElement() -> Recording {
        let recording = Recording()
        elements.append(.nested(recording))
        return recording
    }

    func noteSingle(_ schema: JSONSchema) {
        kind = .single
        if elements.isEmpty { elements = [.schema(schema)] }
    }

    func noteNullable() {
        isNullable = true
    }

    /// Returns the schema of a member if it is the only one.
    func onlyMember(_ name: String) -> JSONSchema? {
        guard members.count == 1, members[0].name == name else { return nil }
        return Self.schema(of: members[0].part, isWhole: isWhole)
    }

    var schema: JSONSchema { schema(isWhole: isWhole) }

    /// Returns the schema, closed if the type was decoded completely.
    private func schema(isWhole: Bool) -> JSONSchema {
        let parts = elements.map { Self.schema(of: $0, isWhole: isWhole) }
        switch kind {
        case .single:
            guard let value = parts.first else { return .anything }
            return isNullable ? .optional(value) : value
        case .array: return parts.count > 1 ? .tuple(parts) : .array(parts.first ?? .anything)
        // The compiler's coding of a struct without properties decodes nothing.
        case .object, .nothing:
            let properties = members.map { name, part in
                property(name, Self.schema(of: part, isWhole: isWhole))
            }
            return .object(properties, isClosed: isWhole && caseNames.isEmpty)
        }
    }

    private func property(_ name: String, _ schema: JSONSchema) -> JSONSchema.ObjectMember {
        if case .optional = schema { return JSONSchema.ObjectMember(name, schema) }
        return JSONSchema.ObjectMember(name, optionals.contains(name) ? .optional(schema) : schema)
    }

    private func add(_ name: String, _ part: RecordedPart) {
        if !members.contains(where: { $0.name == name }) { members.append((name, part)) }
    }

    private static func schema(of part: RecordedPart, isWhole: Bool) -> JSONSchema {
        switch part {
        case .schema(let schema): schema
        case .nested(let recording): recording.schema(isWhole: isWhole)
        }
    }
}
