/// The record of one decoding from nothing: all that it has asked for.
final class Recording {
    /// Set once the value was there.
    var isWhole = false
    /// The cases of the enum that it is, where it has asked which of them is there.
    private(set) var caseNames: [String] = []

    private enum Kind { case nothing, object, array, single }
    private enum RecordedPart {
        case schema(JSONSchema)
        case nested(Recording)
    }

    private let caseIndex: Int
    private var kind = Kind.nothing
    private var members: [(name: String, part: RecordedPart)] = []
    /// The members of which it has asked whether they are there.
    private var optionals: Set<String> = []
    private var elements: [RecordedPart] = []
    private var isNullable = false

    /// Nothing was asked for yet.
    ///
    /// - Parameter index: The place of the case that is there, of an enum.
    init(inCase index: Int = 0) {
        caseIndex = index
    }

    /// The number of what was asked for.
    var count: Int { members.count + elements.count }

    /// The number of elements that were asked for.
    var elementCount: Int { elements.count }

    func openObject() { kind = .object }

    func openArray() { kind = .array }

    /// The place of the case that is there among all.
    func list(cases names: [String]) -> Int {
        caseNames = names
        return names.indices.contains(caseIndex) ? caseIndex : 0
    }

    /// Notes that a member may be missing.
    func noteOptional(_ name: String) {
        optionals.insert(name)
    }

    /// Notes a member's schema; the first that was asked for counts.
    func note(_ name: String, _ schema: JSONSchema) {
        add(name, .schema(schema))
    }

    /// Notes a member that is looked into.
    func nested(_ name: String) -> Recording {
        let recording = Recording()
        add(name, .nested(recording))
        return recording
    }

    func noteElement(_ schema: JSONSchema) {
        elements.append(.schema(schema))
    }

    /// Notes an element that is looked into.
    func nestedElement() -> Recording {
        let recording = Recording()
        elements.append(.nested(recording))
        return recording
    }

    /// Notes that the value is another, which it wraps.
    func noteSingle(_ schema: JSONSchema) {
        kind = .single
        if elements.isEmpty { elements = [.schema(schema)] }
    }

    func noteNullable() {
        isNullable = true
    }

    /// The schema of a member, where it is the only one.
    func onlyMember(_ name: String) -> JSONSchema? {
        guard members.count == 1, members[0].name == name else { return nil }
        return Self.schema(of: members[0].part, isWhole: isWhole)
    }

    /// The schema of all that was asked for.
    var schema: JSONSchema { schema(isWhole: isWhole) }

    /// The schema of what was asked for so far.
    ///
    /// - Parameter isWhole: True where nothing more would have been asked for.
    private func schema(isWhole: Bool) -> JSONSchema {
        let parts = elements.map { Self.schema(of: $0, isWhole: isWhole) }
        switch kind {
        case .single:
            guard let value = parts.first else { return .anything }
            return isNullable ? .optional(value) : value
        case .array: return parts.count > 1 ? .tuple(parts) : .array(parts.first ?? .anything)
        // The compiler's coding of a struct without properties asks for nothing.
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
