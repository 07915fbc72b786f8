extension HeaderFields {
    /// The fields of a section as it came over the wire, in the form of `bytes`: all that are legal.
    ///
    /// Spaces and tabs around a value are no part of it (RFC 9112 §5.1).
    ///
    /// - Parameters:
    ///   - section: The fields, none of which was checked.
    ///   - hasIllegal: Is set if one was left out, because its name is no token or its value holds a control character.
    package init(wire section: consuming [UInt8], hasIllegal: inout Bool) {
        self.init()
        if let checked = Self.checked(section.span) {
            bytes = section
            (count, places) = checked
        } else {
            append(legalOf: section.span, &hasIllegal)
        }
    }

    /// How many fields a section has, and where their names are; nil if one of them cannot be taken as it is.
    private static func checked(_ section: Span<UInt8>) -> (Int, FieldPlaces)? {
        var (count, places, position) = (0, FieldPlaces(), 0)
        while let entry = Entry(section, at: position) {
            let name = section.extracting(entry.name)
            guard FieldGrammar.isToken(name), FieldGrammar.isValue(section.extracting(entry.value)) else { return nil }
            places.insert(FieldName.place(of: name))
            count += 1
            position = entry.end
        }
        return (count, places)
    }

    private mutating func append(legalOf section: Span<UInt8>, _ hasIllegal: inout Bool) {
        var position = 0
        while let entry = Entry(section, at: position) {
            if !append(section.extracting(entry.name), section.extracting(section.withoutBlanks(entry.value))) {
                hasIllegal = true
            }
            position = entry.end
        }
    }
}

extension Span<UInt8> {
    fileprivate func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, FieldGrammar.isBlank(self[start]) { start += 1 }
        while end > start, FieldGrammar.isBlank(self[end - 1]) { end -= 1 }
        return start..<end
    }
}
