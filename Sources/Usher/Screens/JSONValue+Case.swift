package import UsherJSON

extension JSONValue {
    /// An enum case as Swift codes it: `"name"`, or `{"name":{…}}`.
    package var caseNameAndPayload: (name: String, payload: JSONValue?)? {
        if let string { return (string, nil) }
        var members = members.makeIterator()
        guard let (name, payload) = members.next(), members.next() == nil else { return nil }
        return (name, payload)
    }

    var isEmptyObject: Bool {
        var members = members.makeIterator()
        return kind == .object && members.next() == nil
    }
}
