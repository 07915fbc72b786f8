/// Which names a header section may hold, so that most of those that it does not hold cost no look at its fields.
///
/// Each name has one of 64 places, which it may share with others; where nothing is, no field of that name is.
struct FieldPlaces: Sendable {
    private var taken: UInt64 = 0
    private var repeated: UInt64 = 0

    /// Whether there may be a field at a name's place.
    func mayHold(_ place: UInt64) -> Bool {
        taken & place != 0
    }

    /// Whether there may be several fields at a name's place.
    func mayRepeat(_ place: UInt64) -> Bool {
        repeated & place != 0
    }

    /// There is one more field at a name's place.
    mutating func insert(_ place: UInt64) {
        repeated |= taken & place
        taken |= place
    }

    /// There are all of another section's fields as well.
    mutating func insert(_ others: FieldPlaces) {
        repeated |= others.repeated | taken & others.taken
        taken |= others.taken
    }
}
