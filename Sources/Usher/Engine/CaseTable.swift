package import UsherJSON

/// The cases of an enum, from an author's examples; cases without a payload are decoded without a decoder.
struct CaseTable<Value: Codable & Sendable>: Sendable {
    /// The names on the wire, in the order of the examples.
    let names: [String]
    /// An object with an example payload for each name.
    let examples: [UInt8]
    /// The cases without a payload, and their names.
    private let plain: [Value]
    private let plainNames: PlainNames

    init(_ values: [Value]) {
        var names: [String] = []
        var plain: [Value] = []
        var plainNames: [String] = []
        var writer = JSONWriter()
        writer.beginObject()
        for example in values.compactMap({ CaseExample($0) }) where !names.contains(example.name) {
            names.append(example.name)
            if example.isPlain {
                plainNames.append(example.name)
                plain.append(example.value)
            }
            writer.key(example.name)
            writer.raw(example.payload)
        }
        writer.endObject()
        self.names = names
        self.plain = plain
        self.plainNames = PlainNames(plainNames)
        examples = writer.bytes
    }

    /// Decodes a case in Swift's coding: a bare name, or an object with the name and the payload.
    ///
    /// `kind` and `owner` are for error messages: for example, `event` and `the screen "login"`.
    ///
    /// - Throws: A rejection that lists the cases, or names the place in the payload.
    func decode(
        _ json: JSONValue, as kind: String, of owner: @autoclosure () -> String, from source: SecretSource,
        _ secrets: SecretLedger
    ) throws(Rejection) -> Value {
        if let place = plainNames.place(of: json) {
            // Most cases are bare names. For a known bare name, do not create a string.
            guard !json.isString, case (let name, let payload?)? = json.caseNameAndPayload, !payload.isEmptyObject
            else { return plain[place] }
            // Reject the payload here, because here the message can name the owner.
            guard payload.kind == .object else {
                throw Rejection(.invalid, "the \(kind) \"\(name)\" of \(owner()) takes no payload, at \(payload.place)")
            }
        } else if !json.isCase {
            throw Rejection(.invalid, "the \(kind) must be a name, or an object with one member, at \(json.place)")
        }
        do throws(JSONError) {
            return try secrets.decode(Value.self, json, from: source)
        } catch {
            let name = json.caseNameAndPayload?.name ?? ""
            // A case without an example is decoded, too, so a failure to decode may be in the case's payload.
            guard !names.contains(name), names.isEmpty || error.reason.hasPrefix("unknown case") else {
                throw Rejection(.invalid, "the \(kind) \"\(name)\" of \(owner()): \(error)")
            }
            let known = names.isEmpty ? "it takes none" : "it takes: \(names.joined(separator: ", "))"
            throw Rejection(.invalid, "\(owner()) has no \(kind) \"\(name)\"; \(known)")
        }
    }
}

/// The names of cases without a payload, in one array, so that a comparison needs no reference counting.
///
/// A class, because a larger `CaseTable` would be passed in memory, and its type would be looked up at run time.
private final class PlainNames: Sendable {
    /// The bytes of all names, and the end of each.
    private let bytes: [UInt8]
    private let ends: [Int]

    init(_ names: [String]) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
    }

    /// Returns the index of the name that a JSON value has as an enum case; nil if the table has no such name.
    func place(of json: JSONValue) -> Int? { Self.place(of: json, in: bytes, endingAt: ends) }

    // The arrays are parameters, because a span of a class's property could not outlive the access to the property.
    private static func place(of json: JSONValue, in bytes: [UInt8], endingAt ends: [Int]) -> Int? {
        let names = bytes.span
        var start = 0
        for place in ends.indices {
            let end = ends[place]
            if json.isCase(named: names.extracting(start..<end)) { return place }
            start = end
        }
        return nil
    }
}

/// An enum value, split into its wire name and its payload.
struct CaseExample<Value: Encodable> {
    let value: Value
    let name: String
    /// The payload as JSON; an empty object if there is none.
    let payload: [UInt8]

    /// Creates an example; nil if the value does not encode as an enum case, because it then has no name.
    init?(_ value: Value) {
        var writer = JSONWriter()
        guard (try? writer.encode(value)) != nil, let document = try? JSONDocument(parsing: writer.bytes),
            let (name, payload) = document.root.caseNameAndPayload
        else { return nil }
        self.value = value
        self.name = name
        self.payload = payload.map { Array($0.bytes) } ?? Array("{}".utf8)
    }

    var isPlain: Bool { payload == Array("{}".utf8) }
}

extension JSONValue {
    /// The name and payload of an enum case in Swift's coding: `"name"`, or `{"name":{…}}`; nil for another value.
    package var caseNameAndPayload: (name: String, payload: JSONValue?)? {
        if let string { return (string, nil) }
        var members = members.makeIterator()
        guard let (name, payload) = members.next(), members.next() == nil else { return nil }
        return (name, payload)
    }

    /// A Boolean value indicating whether the value is a bare name or an object with one member, as an enum case.
    package var isCase: Bool { isString || hasOneMember }

    /// A Boolean value indicating whether the value is `{}`.
    package var isEmptyObject: Bool {
        var members = members.makeIterator()
        return kind == .object && members.next() == nil
    }
}
