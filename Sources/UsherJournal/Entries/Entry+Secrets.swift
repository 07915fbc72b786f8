extension Entry {
    /// The payload with an ellipsis in the place of each secret: what may be shown.
    package var maskedPayload: [UInt8] { replacingSecrets(with: Array("\"…\"".utf8)).payload }

    /// The entry without its secrets: `null` stands in their places, and replay gets secrets that nobody can read.
    package var erased: Entry {
        let (payload, secrets) = replacingSecrets(with: Array("null".utf8))
        return Entry(
            kind, revision: revision, time: time, before: before, after: after, digest: digest, visible: visible,
            payload: payload, secrets: secrets, isErased: !secrets.isEmpty)
    }

    private func replacingSecrets(with replacement: [UInt8]) -> (payload: [UInt8], secrets: [Range<Int>]) {
        var result: [UInt8] = []
        var places: [Range<Int>] = []
        var end = 0
        for secret in secrets {
            result += payload[end..<secret.lowerBound]
            places.append(result.count..<(result.count + replacement.count))
            result += replacement
            end = secret.upperBound
        }
        return (result + payload[end...], places)
    }
}
