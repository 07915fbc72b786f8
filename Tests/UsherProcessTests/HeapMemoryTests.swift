import CJemalloc
import Foundation
import LocalhostClient
import Testing

@testable import UsherProcess

@Suite("The heap's memory", .blocking, .timeLimit(.minutes(5)))
struct HeapMemoryTests {
    @Test(.disabled(if: isSanitized, "a sanitizer has an allocator of its own"))
    func `freed memory is given back to the system`() async throws {
        let memory = ResidentMemory()
        var blocks: [[UInt8]] = (0..<8_192).map { _ in Array(repeating: 1, count: 8_192) }
        let before = try #require(memory.bytes)
        #expect(blocks.removeLast().count == 8_192)
        blocks = []
        // In the meantime, other tests may allocate memory and return it.
        while try #require(memory.bytes) > before - 32 << 20 {
            HeapMemory.trim()
            await Task.yield()
        }
    }

    @Test(.disabled(if: isSanitized, "a sanitizer has an allocator of its own"))
    func `the heap's memory counts allocated memory at once, until the memory is freed`() throws {
        let before = try #require(HeapMemory.use)
        // Allocates 512 MB, because in the meantime, other tests may allocate and free some 100 MB.
        var blocks: [[UInt8]] = (0..<65_536).map { _ in
            var block: [UInt8] = []
            block.reserveCapacity(8_192)
            return block
        }
        let full = try #require(HeapMemory.use)
        #expect(full.allocatedBytes > before.allocatedBytes + 384 << 20)
        #expect(full.residentBytes >= full.allocatedBytes)
        #expect(blocks.removeLast().capacity >= 8_192)
        blocks = []
        #expect(try #require(HeapMemory.use).allocatedBytes < full.allocatedBytes - 384 << 20)
    }

    @Test(.disabled(if: isSanitized, "a sanitizer has an allocator of its own"))
    func `the heap's allocator has the configured settings`() throws {
        #expect(try setting("opt.tcache_nslots_small_max", UInt32(0)) == 16)
        // The ninth size class has 128 bytes.
        #expect(try setting("arenas.bin.8.size", 0) == 128)
        #expect(try setting("arenas.bin.8.slab_size", 0) == setting("arenas.page", 0) * 8)
    }

    /// Returns a setting of the allocator.
    private func setting<Value: BitwiseCopyable>(_ name: String, _ initial: Value) throws -> Value {
        var (value, size) = (initial, MemoryLayout<Value>.size)
        try #require(unsafe mallctl(name, &value, &size, nil, 0) == 0)
        return value
    }

    private static var isSanitized: Bool { ProcessInfo.processInfo.environment["USHER_SANITIZED"] != nil }
}
