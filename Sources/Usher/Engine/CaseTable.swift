package import UsherJSON

/// The cases of an enum as an author's examples show them: their names, and those without a payload, for which
/// no decoder has to run.
struct CaseTable<Value: Codable & Sendable>: Sendable {
    /// The names on the wire, in the order of the examples.
    let names: [String]
    /// An object with each name and an example of its payload.
    let examples: [UInt8]
    /// The cases without a payload, and their names as they come.
    private let plain: [Value]
    private let plainNames: [[UInt8]]

    init(_ values: [Value]) {
        var names: [String] = []
        var plain: [Value] = []
        var plainNames: [[UInt8]] = []
        var writer = JSONWriter()
        writer.beginObject()
        for example in values.compactMap({ CaseExample($0) }) where !names.contains(example.name) {
            names.append(example.name)
            if example.isPlain {
                plainNames.append(Array(example.name.utf8))
                plain.append(example.value)
            }
            writer.key(example.name)
            writer.raw(example.payload)
        }
        writer.endObject()
        self.names = names
        self.plain = plain
        self.plainNames = plainNames
        examples = writer.bytes
    }

    /// Decodes a case as Swift codes it: a bare name, or an object with the name and the payload.
    ///
    /// - Parameters:
    ///   - json: The case.
    ///   - kind: What it is called, such as `event`.
    ///   - owner: Whose it is, such as `the screen "login"`.
    ///   - source: What of an input it is.
    ///   - secrets: The account of the secrets in it.
    /// - Throws: A rejection that lists the cases, or names the place in the payload.
    func decode(
        _ json: JSONValue, as kind: String, of owner: @autoclosure () -> String, from source: SecretSource,
        _ secrets: SecretLedger
    ) throws(Rejection) -> Value {
        if let place = plainNames.firstIndex(where: { json.isCase(named: $0.span) }) {
            // Most are bare names: no text is made of one that is known.
            guard !json.isString, case (let name, let payload?)? = json.caseNameAndPayload, !payload.isEmptyObject
            else { return plain[place] }
            // Refused here, where it can be said whose event it is.
            guard payload.kind == .object else {
                throw Rejection(.invalid, "the \(kind) \"\(name)\" of \(owner()) takes no payload, at \(payload.place)")
            }
        } else if !json.isCase {
            throw Rejection(.invalid, "a \(kind) is a name, or an object with one member, at \(json.place)")
        }
        do throws(JSONError) {
            return try secrets.decode(Value.self, json, from: source)
        } catch {
            let name = json.caseNameAndPayload?.name ?? ""
            // A case that the examples leave out has a payload, too.
            guard !names.contains(name), names.isEmpty || error.reason.hasPrefix("unknown case") else {
                throw Rejection(.invalid, "the \(kind) \"\(name)\" of \(owner()): \(error)")
            }
            let known = names.isEmpty ? "it takes none" : "it takes: \(names.joined(separator: ", "))"
            throw Rejection(.invalid, "\(owner()) has no \(kind) \"\(name)\"; \(known)")
        }
    }
}

/// A value of an enum, taken apart into its wire name and its payload.
struct CaseExample<Value: Encodable> {
    let value: Value
    let name: String
    /// The payload as JSON; an empty object where there is none.
    let payload: [UInt8]

    /// Fails for a value that does not encode as Swift encodes an enum: nothing can name it on the wire.
    init?(_ value: Value) {
        var writer = JSONWriter()
        guard (try? writer.encode(value)) != nil, let document = try? JSONDocument(parsing: writer.bytes),
            let (name, payload) = document.root.caseNameAndPayload
        else { return nil }
        self.value = value
        self.name = name
        self.payload = payload.map { Array($0.bytes) } ?? Array("{}".utf8)
    }

    /// True where the case needs no payload.
    var isPlain: Bool { payload == Array("{}".utf8) }
}

extension JSONValue {
    /// An enum case as Swift codes it: `"name"`, or `{"name":{…}}`.
    package var caseNameAndPayload: (name: String, payload: JSONValue?)? {
        if let string { return (string, nil) }
        var members = members.makeIterator()
        guard let (name, payload) = members.next(), members.next() == nil else { return nil }
        return (name, payload)
    }

    /// True for a case as Swift codes it: a bare name, or an object with one member.
    package var isCase: Bool { isString || hasOneMember }

    /// True for `{}`.
    package var isEmptyObject: Bool {
        var members = members.makeIterator()
        return kind == .object && members.next() == nil
    }
}
