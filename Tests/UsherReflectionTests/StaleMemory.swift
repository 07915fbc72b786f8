/// Freed memory that contained references.
enum StaleMemory {
    /// Leaves references to an object in freed memory of many sizes.
    static func leave(_ object: AnyObject) {
        var buffers: [AnyObject] = []
        for size in stride(from: 8, through: 240, by: 8) {
            for _ in 0..<3 { buffers.append(Buffer.make(size / 8, object)) }
        }
        withExtendedLifetime(buffers) {}
    }

    private final class Buffer: ManagedBuffer<Int, AnyObject> {
        static func make(_ count: Int, _ object: AnyObject) -> AnyObject {
            let buffer = Buffer.create(minimumCapacity: count) { _ in count }
            unsafe buffer.withUnsafeMutablePointerToElements {
                unsafe $0.initialize(repeating: object, count: count)
            }
            return buffer
        }

        deinit {
            unsafe withUnsafeMutablePointers { count, elements in
                _ = unsafe elements.deinitialize(count: count.pointee)
            }
        }
    }
}
