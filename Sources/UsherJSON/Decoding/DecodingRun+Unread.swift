// Strictness: everything in an opened container must have been read.
extension DecodingRun {
    /// Throws an error for the first member or element that no type has read.
    func refuseUnread() throws(JSONError) {
        for index in indices where mark(index).isOpened {
            if tape.token(at: index).kind == .object {
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
        let all = tape.children(of: object)
        let unread = all.filter { !mark($0).isRead }
        guard let first = unread.first else { return }
        // A type that only lists the names uses the names as enum cases without a payload.
        if mark(object).isListed, unread.count == all.count {
            if let unknown = unread.first(where: { !mark($0).isKnown }) { throw self.unknown(unknown, of: object) }
            guard unread.count == 1 else { throw notOneCase(object) }
            return try requireNoPayload(at: first)
        }
        throw unknown(first, of: object)
    }

    private func requireNoPayload(at key: Int) throws(JSONError) {
        let value = key + 1
        if tape.token(at: value).kind == .object, tape.next(after: value) == value + 1 { return }
        let reason = "the case \(tape.string(at: key).abbreviated) takes no payload: expected {}"
        throw JSONError(reason, at: tape.place(of: value))
    }

    private func refuseElements(of array: Int) throws(JSONError) {
        let all = tape.children(of: array)
        let reason = "expected \(all.count { mark($0).isRead }) elements, found \(all.count)"
        throw JSONError(reason, at: tape.place(of: array))
    }

    private func unknown(_ key: Int, of object: Int) -> JSONError {
        var reason = "unknown member \(tape.string(at: key).abbreviated)"
        if let names = names?[object], !names.isEmpty {
            let once: [String] = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            reason += "; expected \(once.listed)"
        }
        return JSONError(reason, at: tape.place(of: object))
    }

    /// Returns the error for an object that should name exactly one case.
    func notOneCase(_ object: Int) -> JSONError {
        let names = tape.children(of: object).map { tape.string(at: $0) }
        let reason = names.isEmpty ? "expected one case, found {}" : "expected one case, found \(names.listed)"
        return JSONError(reason, at: tape.place(of: object))
    }
}
