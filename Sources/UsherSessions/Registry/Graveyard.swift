/// The newest tombstones; the oldest makes room for the next, so that ended sessions cost a bounded amount of memory.
struct Graveyard {
    private let capacity: Int
    private var tombstones: [SessionID: Tombstone] = [:]
    /// The ids in the order of their burial, as a ring once it is full.
    private var order: [SessionID] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    subscript(id: SessionID) -> Tombstone? { tombstones[id] }

    mutating func add(_ tombstone: Tombstone, for id: SessionID) {
        if order.count < capacity {
            order.append(id)
        } else {
            tombstones[order[oldest]] = nil
            order[oldest] = id
            oldest = (oldest + 1) % capacity
        }
        tombstones[id] = tombstone
    }
}
