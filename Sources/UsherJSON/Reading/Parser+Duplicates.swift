extension Parser {
    /// Refuses an object in which two members have one name, compared after the escapes are resolved, byte by byte.
    ///
    /// Few members are compared pair by pair; more go through a set, whose hashes nobody outside can foresee, so that
    /// no text makes this slow.
    func refuseDuplicates(in object: Int, count: Int) throws(JSONError) {
        let duplicate = count <= 8 ? duplicateByPairs(in: object) : duplicateBySet(in: object, count: count)
        guard let duplicate else { return }
        let name = tape.string(at: duplicate).abbreviated
        throw JSONError(.duplicateMember, "duplicate member \(name)", at: tape.place(of: object))
    }

    private func duplicateByPairs(in object: Int) -> Int? {
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            var other = tape.next(after: key + 1)
            while other < end {
                if isSame(key, other) { return other }
                other = tape.next(after: other + 1)
            }
            key = tape.next(after: key + 1)
        }
        return nil
    }

    private func isSame(_ one: Int, _ other: Int) -> Bool {
        if tape.tokens[one].escaped || tape.tokens[other].escaped { return name(at: one) == name(at: other) }
        let (left, right) = (tape.content(at: one), tape.content(at: other))
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }

    private func duplicateBySet(in object: Int, count: Int) -> Int? {
        var names = Set<ArraySlice<UInt8>>(minimumCapacity: count)
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            guard names.insert(name(at: key)).inserted else { return key }
            key = tape.next(after: key + 1)
        }
        return nil
    }

    private func name(at key: Int) -> ArraySlice<UInt8> {
        tape.tokens[key].escaped ? tape.unescaped(at: key)[...] : bytes[tape.content(at: key)]
    }
}
