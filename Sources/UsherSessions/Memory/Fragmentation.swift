import UsherProcess

/// The memory that a heap takes for what lives in it, as a factor that is learned slowly.
///
/// Resident memory does not fall when sessions leave, because their blocks lie on pages that others use as well. Whoever
/// compared resident memory with a budget would let more and more sessions go, and would gain nothing. What counts is
/// therefore what is allocated, times this factor.
struct Fragmentation {
    /// Bytes in memory for each byte that is allocated.
    private(set) var factor = 1.25

    /// At most so many bytes in memory count for an allocated one: free blocks beyond them are used before new pages are.
    private static let most = 2.0
    /// The part of the difference by which one look corrects the factor; with ten looks a second that is half in a minute.
    private static let pace = 1.0 / 1_024

    /// Corrects the factor.
    mutating func learn(from heap: HeapUse) {
        guard heap.allocatedBytes > 0 else { return }
        let ratio = Double(heap.residentBytes) / Double(heap.allocatedBytes)
        factor += (min(max(1, ratio), Self.most) - factor) * Self.pace
    }

    /// Counts the memory in use.
    ///
    /// - Parameters:
    ///   - process: Bytes in memory of the whole process.
    ///   - heap: The use of the heap; nil if it is unknown.
    /// - Returns: What lives in the heap, times the factor, and all that is not the heap's; never more than the process has.
    func countedBytes(of process: Int, _ heap: HeapUse?) -> Int {
        guard let heap, heap.allocatedBytes > 0, heap.residentBytes > 0, process > 0 else { return process }
        let pages = min(process, heap.residentBytes)
        let live = Double(heap.allocatedBytes) * factor
        return live < Double(pages) ? process - pages + Int(live) : process
    }

    /// The allocated bytes that make up for counted ones.
    func allocatedBytes(of counted: Int) -> Int { Int(Double(counted) / factor) }
}
