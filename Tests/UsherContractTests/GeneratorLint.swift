import UsherJSON

/// Searches an OpenAPI document for valid constructs that client generators reject or drop.
enum GeneratorLint {
    /// Returns the problems with their places.
    static func complaints(about document: JSONValue) -> [String] {
        let components = document[member: "components"]?[member: "schemas"]?.members.map { $0 } ?? []
        let named = components.flatMap { complaints(in: $0.value, at: $0.name, isNamed: true) }
        let dots = components.filter { $0.name.contains(".") }.map { "\($0.name): a dot makes a module of the name" }
        let paths = ["paths", "components"].flatMap { place in
            document[member: place].map { media(in: $0, at: place) } ?? []
        }
        return named + dots + paths
    }

    /// Returns the problems in the schemas of bodies, responses and parameters.
    private static func media(in value: JSONValue, at place: String) -> [String] {
        var found: [String] = []
        for (name, member) in value.members {
            switch name {
            case "schema": found += complaints(in: member, at: place, isNamed: false)
            case "schemas", "examples": break
            default: found += media(in: member, at: "\(place)/\(name)")
            }
        }
        return found + value.elements.flatMap { media(in: $0, at: place) }
    }

    private static func complaints(in schema: JSONValue, at place: String, isNamed: Bool) -> [String] {
        var found: [String] = []
        let has = { (name: String) in schema[member: name] != nil }
        if !isNamed, schema[member: "type"]?.string == "object" { found.append("\(place): an object without a name") }
        if has("const") || has("enum"), !has("type") { found.append("\(place): a value without a type") }
        if schema[member: "const"]?.kind == .boolean { found.append("\(place): a const that is a Boolean value") }
        if has("allOf"), has("properties") { found.append("\(place): allOf beside properties") }
        if has("if") { found.append("\(place): a condition") }
        let required = schema[member: "required"].map { $0.elements.compactMap(\.string) } ?? []
        for (name, member) in schema[member: "properties"]?.members.map({ $0 }) ?? [] {
            let isNullable = member[member: "anyOf"]?.elements.contains { $0[member: "type"]?.string == "null" } == true
            if isNullable, !required.contains(name) { found.append("\(place)/\(name): optional, and nullable") }
            found += complaints(in: member, at: "\(place)/\(name)", isNamed: false)
        }
        for name in ["items", "additionalProperties"] {
            if let inner = schema[member: name], inner.kind == .object {
                found += complaints(in: inner, at: "\(place)/\(name)", isNamed: false)
            }
        }
        for name in ["oneOf", "anyOf", "prefixItems", "allOf"] {
            // The members that an allOf adds belong to the type that contains it.
            for inner in schema[member: name]?.elements.map({ $0 }) ?? [] {
                found += complaints(in: inner, at: "\(place)/\(name)", isNamed: name == "allOf")
            }
        }
        return found
    }
}
