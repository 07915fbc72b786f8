import UsherProcess

/// The ratio of a heap's resident memory to its allocated memory; the ratio adjusts slowly.
///
/// When sessions leave memory, resident memory does not decrease, because the freed blocks share pages with other
/// blocks. If the budget counted resident memory, more and more sessions would hibernate without effect. The budget
/// therefore counts allocated memory, multiplied by this ratio.
struct Fragmentation {
    /// The resident bytes per allocated byte.
    private(set) var factor = 1.25

    /// The largest factor: above it, the allocator reuses free blocks before it takes new pages.
    private static let most = 2.0
    /// The part of the difference between `factor` and a measured ratio that one measurement corrects.
    ///
    /// With ten measurements per second, a minute corrects almost half of a difference.
    private static let pace = 1.0 / 1_024

    mutating func learn(from heap: HeapUse) {
        guard heap.allocatedBytes > 0 else { return }
        let ratio = Double(heap.residentBytes) / Double(heap.allocatedBytes)
        factor += (min(max(1, ratio), Self.most) - factor) * Self.pace
    }

    /// Returns the memory in use as the budget counts it: the allocated bytes times the factor, plus the memory outside
    /// the heap, but at most `process`, the resident bytes of the whole process.
    func countedBytes(of process: Int, _ heap: HeapUse?) -> Int {
        guard let heap, heap.allocatedBytes > 0, heap.residentBytes > 0, process > 0 else { return process }
        let pages = min(process, heap.residentBytes)
        let live = Double(heap.allocatedBytes) * factor
        return live < Double(pages) ? process - pages + Int(live) : process
    }

    /// Returns the number of allocated bytes for a number of bytes as the budget counts them.
    func allocatedBytes(of counted: Int) -> Int { Int(Double(counted) / factor) }
}
