import CJemalloc
import Foundation
import LocalhostClient
import Synchronization
import Testing

@testable import UsherProcess

@Suite("The heap's memory", .blocking, .timeLimit(.minutes(5)))
struct HeapMemoryTests {
    /// Says when nobody refers to it any more.
    private final class Remnant: Sendable {
        let isGone = DispatchSemaphore(value: 0)
        private let gone: DispatchSemaphore

        init() { gone = isGone }

        deinit { gone.signal() }
    }

    @Test func `memory goes back on another thread, and once more for all who ask meanwhile`() {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let times = Atomic(0)
        let over = endOfTrimming { remnant in
            let trimming = HeapTrimming { [remnant] in
                withExtendedLifetime(remnant) {
                    guard times.add(1, ordering: .relaxed).newValue == 1 else { return }
                    begun.signal()
                    mayEnd.wait()
                }
            }
            trimming.begin()
            begun.wait()
            for _ in 0..<3 { trimming.begin() }
            mayEnd.signal()
        }
        over.wait()
        #expect(times.load(ordering: .relaxed) == 2)
    }

    @Test func `who asks once it is done has it done again`() {
        let done = DispatchSemaphore(value: 0)
        let trimming = HeapTrimming { done.signal() }
        for _ in 0..<100 {
            trimming.begin()
            done.wait()
        }
    }

    @Test(.disabled(if: isSanitized, "a sanitizer has an allocator of its own"))
    func `memory that nobody uses any more goes back to the system`() async throws {
        let memory = ResidentMemory()
        var blocks: [[UInt8]] = (0..<8_192).map { _ in Array(repeating: 1, count: 8_192) }
        let before = try #require(memory.bytes)
        #expect(blocks.removeLast().count == 8_192)
        blocks = []
        HeapMemory.trim()
        // Other tests may take some meanwhile.
        while try #require(memory.bytes) > before - 32 << 20 { await Task.yield() }
    }

    @Test(.disabled(if: isSanitized, "a sanitizer has an allocator of its own"))
    func `what is allocated counts at once, and no more once it is freed`() throws {
        let before = try #require(HeapMemory.use)
        var blocks: [[UInt8]] = (0..<8_192).map { _ in Array(repeating: 1, count: 8_192) }
        let full = try #require(HeapMemory.use)
        // Other tests may take some, and free some, meanwhile.
        #expect(full.allocatedBytes > before.allocatedBytes + 48 << 20)
        #expect(full.residentBytes >= full.allocatedBytes)
        #expect(blocks.removeLast().count == 8_192)
        blocks = []
        #expect(try #require(HeapMemory.use).allocatedBytes < full.allocatedBytes - 48 << 20)
    }

    @Test(.disabled(if: isSanitized, "a sanitizer has an allocator of its own"))
    func `the allocator has its settings`() throws {
        #expect(try setting("opt.tcache_nslots_small_max", UInt32(0)) == 16)
        // The ninth of the sizes has 128 bytes.
        #expect(try setting("arenas.bin.8.size", 0) == 128)
        #expect(try setting("arenas.bin.8.slab_size", 0) == setting("arenas.page", 0) * 8)
    }

    /// A setting of the allocator's, of the type of a value.
    private func setting<Value: BitwiseCopyable>(_ name: String, _ initial: Value) throws -> Value {
        var (value, size) = (initial, MemoryLayout<Value>.size)
        try #require(unsafe mallctl(name, &value, &size, nil, 0) == 0)
        return value
    }

    private static var isSanitized: Bool { ProcessInfo.processInfo.environment["USHER_SANITIZED"] != nil }

    /// The semaphore that tells when all that a body has begun has let go of what it is given.
    private func endOfTrimming(_ body: (Remnant) -> Void) -> DispatchSemaphore {
        let remnant = Remnant()
        body(remnant)
        return remnant.isGone
    }
}
