import UsherJSON

extension Navigation {
    /// Notes that a screen has to be encoded again.
    func markStale(at index: Int) {
        if !screens[index].isStale { staleCount += 1 }
        screens[index].isStale = true
        freshCount = min(freshCount, index)
    }

    /// Makes the JSON say what the screens are.
    ///
    /// Mostly one has changed; what lies over it is moved as a whole.
    func encode() throws(JSONError) {
        guard staleCount > 0 else { return }
        var index = freshCount
        freshCount = screens.count
        let start = offset(of: index)
        var rest = Array(json[start...])[...]
        json.removeLast(rest.count)
        var writer = JSONWriter()
        swap(&writer.bytes, &json)
        defer { swap(&writer.bytes, &json) }
        while staleCount > 0, index < screens.count {
            let old = rest.prefix(screens[index].byteCount)
            rest = rest.dropFirst(old.count)
            if screens[index].isStale { try encode(at: index, into: &writer) } else { writer.bytes += old }
            index += 1
        }
        writer.bytes += rest
    }

    private func encode(at index: Int, into writer: inout JSONWriter) throws(JSONError) {
        let instance = screens[index]
        let digest = instance.digest
        staleCount -= 1
        try instance.encode(into: &writer)
        if instance.digest != digest { digestedCount = min(digestedCount, index) }
    }

    /// Where a screen begins in the JSON, counted from the nearer end.
    private func offset(of index: Int) -> Int {
        guard index > screens.count / 2 else { return screens[..<index].reduce(0) { $0 + $1.byteCount } }
        return json.count - screens[index...].reduce(0) { $0 + $1.byteCount }
    }

    /// Adds the screens to a digest.
    func add(to digest: inout Digest) {
        if digestStart != digest.state { digestedCount = 0 }
        digestStart = digest.state
        if digestedCount > 0 { digest.state = screens[digestedCount - 1].digestAfter }
        for index in digestedCount..<screens.count {
            digest.add(screens[index].digest)
            screens[index].digestAfter = digest.state
        }
        digestedCount = screens.count
        digest.add(rootShown.rawValue)
    }
}
