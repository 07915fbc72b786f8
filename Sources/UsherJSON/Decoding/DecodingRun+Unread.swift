extension DecodingRun {
    /// Refuses the first member or element that nothing has read.
    func refuseLeftovers() throws(JSONError) {
        for index in root..<root + marks.count where mark(index).isOpened {
            if tape.tokens[index].kind == .object {
                if !allAreRead(in: index, step: 1) { try refuseMembers(of: index) }
            } else if !allAreRead(in: index, step: 0) {
                try refuseElements(of: index)
            }
        }
    }

    private func allAreRead(in container: Int, step: Int) -> Bool {
        let end = tape.next(after: container)
        var child = container + 1
        while child < end {
            guard mark(child).isRead else { return false }
            child = tape.next(after: child + step)
        }
        return true
    }

    private func refuseMembers(of object: Int) throws(JSONError) {
        let all = children(of: object, step: 1)
        let unread = all.filter { !mark($0).isRead }
        guard let first = unread.first else { return }
        // A type that only lists the names reads them as cases without payload.
        if mark(object).isListed, unread.count == all.count {
            if let unknown = unread.first(where: { !mark($0).isKnown }) { throw self.unknown(unknown, of: object) }
            guard unread.count == 1 else { throw ambiguous(object) }
            return try requireNoPayload(at: first)
        }
        throw unknown(first, of: object)
    }

    private func requireNoPayload(at key: Int) throws(JSONError) {
        let value = key + 1
        if tape.tokens[value].kind == .object, tape.next(after: value) == value + 1 { return }
        let reason = "the case \(tape.string(at: key).abbreviated) takes no payload: expected {}"
        throw JSONError(.shape, reason, at: tape.place(of: value))
    }

    private func refuseElements(of array: Int) throws(JSONError) {
        let all = children(of: array, step: 0)
        let reason = "expected \(all.count { mark($0).isRead }) elements, found \(all.count)"
        throw JSONError(.shape, reason, at: tape.place(of: array))
    }

    private func unknown(_ key: Int, of object: Int) -> JSONError {
        var reason = "unknown member \(tape.string(at: key).abbreviated)"
        if let names = names?[object], !names.isEmpty { reason += "; expected \(names.uniqued.listed)" }
        return JSONError(.shape, reason, at: tape.place(of: object))
    }

    /// The error for an object that should name one case and names several.
    func ambiguous(_ object: Int) -> JSONError {
        let names = children(of: object, step: 1).map { tape.string(at: $0) }
        let reason = names.isEmpty ? "expected one case, found {}" : "expected one case, found \(names.listed)"
        return JSONError(.shape, reason, at: tape.place(of: object))
    }

    func children(of container: Int, step: Int) -> [Int] {
        let end = tape.next(after: container)
        return Array(sequence(first: container + 1) { self.tape.next(after: $0 + step) }.prefix { $0 < end })
    }
}

extension [String] {
    /// The strings in quotation marks, with commas; not more than a sentence can bear.
    var listed: String {
        prefix(16).map(\.abbreviated).joined(separator: ", ") + (count > 16 ? " and \(count - 16) more" : "")
    }

    /// Each string once, in the order of its first appearance.
    var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
