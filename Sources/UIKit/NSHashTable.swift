/// A set of objects, such as several delegates, that compares objects by identity and does not retain them.
///
/// The objects keep the order in which they were added, so that a replay visits the objects in the same order.
public final class NSHashTable<ObjectType: AnyObject> {
    private struct Entry {
        weak var object: ObjectType?
        /// The object, if the table retains its objects.
        let kept: ObjectType?
    }

    private let retains: Bool
    private var entries: [Entry] = []

    private init(retains: Bool) {
        self.retains = retains
    }

    /// Returns a table that does not retain its objects.
    public static func weakObjects() -> NSHashTable<ObjectType> { NSHashTable(retains: false) }

    /// Creates a table; the options determine whether the table retains its objects, and the capacity has no effect.
    public convenience init(options: Options, capacity initialCapacity: Int = 0) {
        self.init(retains: !options.contains(.weakMemory))
    }

    /// The options of a table.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The table retains its objects.
        public static var strongMemory: Options { [] }
        /// The table does not retain its objects.
        public static var weakMemory: Options { Options(rawValue: 5) }
    }

    /// The objects that are in memory.
    public var allObjects: [ObjectType] { entries.compactMap(\.object) }

    /// The number of objects that are in memory.
    public var count: Int { allObjects.count }

    /// One of the objects.
    public var anyObject: ObjectType? { allObjects.first }

    /// Adds an object unless the table contains it.
    public func add(_ object: ObjectType?) {
        guard let object, !contains(object) else { return }
        entries.removeAll { $0.object == nil }
        entries.append(Entry(object: object, kept: retains ? object : nil))
    }

    /// Removes an object.
    public func remove(_ object: ObjectType?) {
        entries.removeAll { $0.object == nil || $0.object === object }
    }

    /// Removes all objects.
    public func removeAllObjects() {
        entries = []
    }

    /// Returns `true` if the table contains an object.
    public func contains(_ object: ObjectType?) -> Bool {
        object != nil && entries.contains { $0.object === object }
    }
}
