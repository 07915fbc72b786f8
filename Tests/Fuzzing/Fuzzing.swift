import FuzzedReaders
import Glibc

/// The function that libFuzzer calls with mutated bytes, which it passes to a reader.
///
/// `USHER_FUZZ_READER` names the reader. A trap is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    Reader.chosen.read(bytes)
    return 0
}

extension Reader {
    /// The reader that the environment names.
    static let chosen: Reader = {
        let name = unsafe getenv("USHER_FUZZ_READER").map { unsafe String(cString: $0) } ?? ""
        guard let reader = Reader(rawValue: name) else {
            print("USHER_FUZZ_READER is none of \(Reader.allCases.map(\.rawValue).joined(separator: ", "))")
            exit(2)
        }
        return reader
    }()
}
