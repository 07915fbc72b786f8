import Glibc

/// The clocks of this program, which a test can move.
///
/// A file contains the milliseconds by which the time of day and the machine's uptime are moved. The system's libraries
/// use the real clocks.
@safe
private struct MovedClocks: @unchecked Sendable {  // because it only reads what another process writes
    private let offsets: UnsafePointer<Int64>?

    static let shared = MovedClocks()

    private init() {
        guard let path = unsafe getenv("USHER_TEST_CLOCK"), case let file = unsafe open(path, O_RDONLY), file >= 0,
            let memory = unsafe mmap(nil, 16, PROT_READ, MAP_SHARED, file, 0), unsafe memory != MAP_FAILED
        else {
            unsafe offsets = nil
            return
        }
        unsafe offsets = UnsafePointer(memory.assumingMemoryBound(to: Int64.self))
    }

    /// Returns the milliseconds by which a clock is moved.
    func offset(of clock: clockid_t) -> Int64 {
        guard let offsets = unsafe offsets else { return 0 }
        return switch clock {
        case CLOCK_REALTIME: unsafe offsets[0]
        case CLOCK_BOOTTIME: unsafe offsets[1]
        default: 0
        }
    }
}

/// The linker replaces this program's calls of `clock_gettime` by this function.
@_cdecl("__wrap_clock_gettime")
func readMovedClock(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    let status = unsafe readSystemClock(clock, time)
    unsafe time.pointee.tv_sec += Int(MovedClocks.shared.offset(of: clock) / 1_000)
    return status
}

@_silgen_name("__real_clock_gettime")
private func readSystemClock(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32
