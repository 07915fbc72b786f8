/// Which names a header section may hold, for an answer without a look at its fields.
///
/// A name has one of 64 places, by its length and its ends; where nothing is, no field of that name is.
struct FieldNames: Sendable {
    private var places: UInt64 = 0
    private var repeatedPlaces: UInt64 = 0

    /// Whether there may be a field of a name.
    func mayHold(_ name: Span<UInt8>) -> Bool {
        places & Self.place(of: name) != 0
    }

    /// Whether there may be several fields of a name.
    func mayRepeat(_ name: Span<UInt8>) -> Bool {
        repeatedPlaces & Self.place(of: name) != 0
    }

    /// There is one more field of a name.
    mutating func insert(_ name: Span<UInt8>) {
        let place = Self.place(of: name)
        repeatedPlaces |= places & place
        places |= place
    }

    /// There are as many more fields as others.
    mutating func insert(_ others: FieldNames) {
        repeatedPlaces |= others.repeatedPlaces | places & others.places
        places |= others.places
    }

    // The factors keep the names apart that requests have most often. The bit that tells cases apart is always set.
    private static func place(of name: Span<UInt8>) -> UInt64 {
        guard !name.isEmpty else { return 0 }
        let (first, last) = (name[0] | 0x20, name[name.count - 1] | 0x20)
        let place = UInt8(truncatingIfNeeded: name.count) &* lengthFactor &+ first &* firstFactor &+ last
        return 1 &<< UInt64(place & 63)
    }

    private static let lengthFactor: UInt8 = 5
    private static let firstFactor: UInt8 = 59
}
