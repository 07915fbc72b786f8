package import UsherJSON

extension App {
    /// A step of a link with its secrets masked, by the types of the hosts that the app tells of: also one that has had to
    /// wait, so that no host has decoded it.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - isErased: Whether null stands for a secret in it.
    /// - Returns: The step's text, and whether there was a secret; nil where not all hosts with a flow of this name can
    ///   decode it, or there is none.
    package static func masked(_ step: JSONValue, isErased: Bool) -> (json: [UInt8], hasSecrets: Bool)? {
        guard let name = step.caseNameAndPayload?.name else { return nil }
        let hosts = flowHosts.filter { $0.takesFlow(named: name) }
        let places = hosts.compactMap { $0.secretPlaces(of: step, isErased: isErased) }
        guard !places.isEmpty, places.count == hosts.count else { return nil }
        var json: [UInt8] = []
        var rest = step.bytes
        let ranges = places.flatMap { $0 }.sorted { $0.lowerBound < $1.lowerBound }
        for range in ranges {
            let start = step.bytes.startIndex + range.lowerBound
            // Two hosts may have found the same one.
            guard start >= rest.startIndex else { continue }
            json += rest[..<start] + Array("\"…\"".utf8)
            rest = step.bytes[(step.bytes.startIndex + range.upperBound)...]
        }
        return (json + rest, !ranges.isEmpty)
    }
}

extension FlowHost {
    fileprivate static func takesFlow(named name: String) -> Bool {
        flowTable.names.contains(name)
    }

    /// - Returns: nil for a step that does not decode.
    fileprivate static func secretPlaces(of step: JSONValue, isErased: Bool) -> [Range<Int>]? {
        let source = SecretSource(part: .step(0), range: step.range, input: nil, translation: nil)
        let secrets = SecretLedger()
        secrets.begin(revision: 1, isErased: isErased)
        guard (try? flowTable.decode(step, as: "flow", of: name, from: source, secrets)) != nil else { return nil }
        secrets.commit(waiting: [])
        return secrets.places.ranges(in: .step(0))
    }
}
