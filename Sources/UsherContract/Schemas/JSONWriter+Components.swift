import UsherJSON

extension JSONWriter {
    /// Appends a schema that is another's name.
    mutating func reference(_ target: String) { object { $0.member("$ref", target) } }

    /// Appends a member with a schema that is another's name.
    mutating func reference(_ name: String, to target: String) {
        key(name)
        reference(target)
    }

    /// Appends a schema as a component, and each object within it as a component of its own: generators have names for
    /// components only.
    ///
    /// - Parameters:
    ///   - name: The component's name, with which those of the objects begin.
    ///   - schema: The schema.
    mutating func component(_ name: String, _ schema: JSONValue) {
        component(InnerObject(name: name, schema: schema, isCase: false))
    }

    private mutating func component(_ object: InnerObject) {
        var inner: [InnerObject] = []
        key(object.name)
        copy(object, collecting: &inner)
        for each in inner { component(each) }
    }

    /// Appends a schema with references in the places of the objects within it.
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

    /// Appends a schema within another: of an object only its reference.
    private mutating func place(_ schema: InnerObject, collecting inner: inout [InnerObject]) {
        guard schema.isObject else { return copy(schema, collecting: &inner) }
        if !schema.isPlain { inner.append(schema) }
        reference("#/components/schemas/\(schema.isPlain ? "NoPayload" : schema.name)")
    }
}

/// A schema within another, and the name that it has as a component.
private struct InnerObject {
    let name: String
    let schema: JSONValue
    /// True of a case of an enum: its only member is the payload.
    let isCase: Bool

    var isObject: Bool { schema[member: "type"]?.string == "object" }

    /// True of the payload of a case that has none.
    var isPlain: Bool {
        schema[member: "properties"] == nil && schema[member: "additionalProperties"]?.boolean == false
    }

    func member(_ part: String, _ schema: JSONValue) -> InnerObject {
        InnerObject(name: "\(name)-\(isCase ? "payload" : part)", schema: schema, isCase: false)
    }

    /// One of several schemas: a case by its name.
    func part(_ index: Int, _ schema: JSONValue) -> InnerObject {
        let caseName = schema[member: "required"].flatMap { Array($0.elements).first?.string }
        return InnerObject(name: "\(name)-\(caseName ?? String(index + 1))", schema: schema, isCase: caseName != nil)
    }
}
