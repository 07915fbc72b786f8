extension IndexPath {
    /// The path of a row of a table.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The path of an item of a collection.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The row.
    public var row: Int { self[1] }
    /// The item.
    public var item: Int { self[1] }
    /// The section.
    public var section: Int { self[0] }
}
