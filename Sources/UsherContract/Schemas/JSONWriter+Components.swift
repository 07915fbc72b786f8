import UsherJSON

extension JSONWriter {
    mutating func reference(_ target: String) { object { $0.member("$ref", target) } }

    mutating func reference(_ name: String, to target: String) {
        key(name)
        reference(target)
    }

    /// Writes a schema as a component, and each nested object as its own component, whose name begins with `name`.
    ///
    /// Code generators name only components.
    mutating func component(_ name: String, _ schema: JSONValue) {
        component(InnerObject(name: name, schema: schema, isCase: false))
    }

    private mutating func component(_ object: InnerObject) {
        var inner: [InnerObject] = []
        key(object.name)
        copy(object, collecting: &inner)
        for each in inner { component(each) }
    }

    /// Writes a schema with references in place of the nested objects.
    private mutating func copy(_ outer: InnerObject, collecting inner: inout [InnerObject]) {
        beginObject()
        for (keyword, value) in outer.schema.members {
            key(keyword)
            switch keyword {
            case "properties":
                beginObject()
                for (name, schema) in value.members {
                    key(name)
                    place(outer.member(name, schema), collecting: &inner)
                }
                endObject()
            case "anyOf", "prefixItems":
                beginArray()
                for (index, schema) in value.elements.enumerated() {
                    place(outer.part(index, schema), collecting: &inner)
                }
                endArray()
            case "items", "additionalProperties":
                guard value.kind == .object else { self.value(value); continue }
                place(outer.member(keyword == "items" ? "item" : "value", value), collecting: &inner)
            default: self.value(value)
            }
        }
        endObject()
    }

    /// Writes a nested schema, or a reference if it is an object.
    private mutating func place(_ schema: InnerObject, collecting inner: inout [InnerObject]) {
        guard schema.isObject else { return copy(schema, collecting: &inner) }
        if !schema.isPlain { inner.append(schema) }
        reference("#/components/schemas/\(schema.isPlain ? "NoPayload" : schema.name)")
    }
}

/// A nested schema with its name as a component.
private struct InnerObject {
    let name: String
    let schema: JSONValue
    /// A Boolean value that indicates whether this is a case of an enum, whose only member is the payload.
    let isCase: Bool

    var isObject: Bool { schema[member: "type"]?.string == "object" }

    /// A Boolean value that indicates whether this is the empty payload of a case that has none.
    var isPlain: Bool {
        schema[member: "properties"] == nil && schema[member: "additionalProperties"]?.boolean == false
    }

    func member(_ part: String, _ schema: JSONValue) -> InnerObject {
        InnerObject(name: "\(name)-\(isCase ? "payload" : part)", schema: schema, isCase: false)
    }

    /// Returns one of several schemas, named after its case or its index.
    func part(_ index: Int, _ schema: JSONValue) -> InnerObject {
        let caseName = schema[member: "required"].flatMap { Array($0.elements).first?.string }
        return InnerObject(name: "\(name)-\(caseName ?? String(index + 1))", schema: schema, isCase: caseName != nil)
    }
}
