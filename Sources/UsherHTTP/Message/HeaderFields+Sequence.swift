extension HeaderFields: Sequence {
    /// Walks the fields in order.
    package struct Iterator: IteratorProtocol {
        private let fields: HeaderFields
        private var entries: Entries

        init(_ fields: HeaderFields) {
            self.fields = fields
            entries = fields.entries
        }

        /// The next name and value.
        package mutating func next() -> (name: String, value: String)? {
            guard let entry = entries.next() else { return nil }
            return (fields.text(entry.name), fields.text(entry.value))
        }
    }

    /// An iterator at the first field.
    package func makeIterator() -> Iterator {
        Iterator(self)
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Fields from names and values; one that is not legal is left out.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name: name, value: value) }
    }
}

extension HeaderFields: Equatable {
    /// The same names, without regard to case, with the same values in the same order.
    package static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.count == right.count
            && zip(left.entries, right.entries).allSatisfy { mine, other in
                left.matches(mine, right.text(other.name)) && left.bytes[mine.value] == right.bytes[other.value]
            }
    }
}
