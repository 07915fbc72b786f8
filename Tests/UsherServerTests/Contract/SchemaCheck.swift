import UsherJSON

/// A check of JSON against the schemas of a document, without patterns and formats.
struct SchemaCheck {
    let document: JSONValue

    /// Returns the first mismatch between a value and a schema; nil if there is none.
    func complaint(_ value: JSONValue, _ schema: JSONValue) -> String? {
        for (keyword, argument) in schema.members {
            if let complaint = complaint(value, schema, keyword, argument) { return complaint }
        }
        return nil
    }

    /// Returns the value that a reference refers to.
    func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value[member: "$ref"]?.string else { return value }
        return resolved(
            reference.split(separator: "/").dropFirst().reduce(document) { place, name in
                place[member: String(name)] ?? place
            })
    }

    private func fits(_ value: JSONValue, _ schema: JSONValue) -> Bool { complaint(value, schema) == nil }

    private func complaint(
        _ value: JSONValue, _ schema: JSONValue, _ keyword: String, _ argument: JSONValue
    ) -> String? {
        let holds: Bool
        switch keyword {
        case "$ref": return complaint(value, resolved(schema))
        case "type": holds = isOf(type: argument.string ?? "", value)
        case "const": holds = value.text == argument.text
        case "enum": holds = argument.elements.contains { $0.text == value.text }
        case "anyOf": holds = argument.elements.contains { fits(value, $0) }
        case "oneOf": holds = argument.elements.count { fits(value, $0) } == 1
        case "allOf": return argument.elements.lazy.compactMap { complaint(value, $0) }.first
        case "not": holds = !fits(value, argument)
        case "if":
            guard fits(value, argument), let then = schema[member: "then"] else { return nil }
            return complaint(value, then)
        case "properties":
            return argument.members.lazy.compactMap { name, schema in
                value[member: name].flatMap { complaint($0, schema) }
            }.first
        case "required":
            holds = value.kind != .object || argument.elements.allSatisfy { value[member: $0.string ?? ""] != nil }
        case "additionalProperties": return additional(value, schema, argument)
        case "items": return value.elements.lazy.compactMap { complaint($0, argument) }.first
        case "minimum": holds = value.integer.map { $0 >= argument.integer ?? .min } ?? true
        case "minItems": holds = value.kind != .array || Array(value.elements).count >= argument.integer ?? 0
        default: return nil
        }
        guard !holds else { return nil }
        return "at \(value.place): \(value.text.prefix(200)) does not fit \(keyword) \(argument.text.prefix(200))"
    }

    private func additional(_ value: JSONValue, _ schema: JSONValue, _ argument: JSONValue) -> String? {
        let known = schema[member: "properties"]
        let others = value.members.filter { known?[member: $0.name] == nil }
        guard argument.kind == .boolean else { return others.lazy.compactMap { complaint($0.value, argument) }.first }
        return others.first.map { "at \(value.place): no member \"\($0.name)\" is known" }
    }

    private func isOf(type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "object": value.kind == .object
        case "array": value.kind == .array
        case "string": value.kind == .string
        case "integer": value.kind == .number && !value.text.contains(".")
        case "number": value.kind == .number
        case "boolean": value.kind == .boolean
        default: value.kind == .null
        }
    }
}
