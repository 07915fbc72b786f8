/// A collection whose order means nothing, so that it is written sorted: equal values give equal bytes.
protocol UnorderedCollection {
    /// How many values of an array make one part: a dictionary whose keys are no strings is an array of keys and
    /// values in turn.
    static var valuesPerElement: Int { get }
}

extension Dictionary: UnorderedCollection {
    static var valuesPerElement: Int { 2 }
}

extension Set: UnorderedCollection {
    static var valuesPerElement: Int { 1 }
}
