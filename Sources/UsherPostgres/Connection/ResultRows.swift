import CPostgres
import UsherJournal

/// The rows that a statement returned, in PostgreSQL's binary format.
@safe
final class ResultRows {
    private let handle: OpaquePointer

    /// Creates the rows of a result, and takes ownership of the result.
    init(taking handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit { unsafe PQclear(handle) }

    var count: Int { unsafe Int(PQntuples(handle)) }

    var indices: Range<Int> { 0..<count }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        unsafe PQgetisnull(handle, Int32(row), Int32(column)) == 1
    }

    /// Returns an integer of any width; 0 for NULL.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        let bytes = unsafe value(row, column)
        guard let first = unsafe bytes.first else { return 0 }
        // The first byte contains the sign.
        let start = Int64(Int8(bitPattern: first))
        return unsafe bytes.dropFirst().reduce(start) { $0 << 8 | Int64($1) }
    }

    func mark(_ row: Int, _ column: Int) -> UInt64 {
        UInt64(bitPattern: integer(row, column))
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] {
        unsafe Array(value(row, column))
    }

    func text(_ row: Int, _ column: Int) -> String {
        unsafe String(decoding: value(row, column), as: UTF8.self)
    }

    func key(_ row: Int, _ column: Int) -> JournalKey? {
        let bytes = unsafe value(row, column)
        guard bytes.count == 16 else { return nil }
        let high = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let low = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return JournalKey(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// Returns a column's bytes, which are valid only while this object exists.
    private func value(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        let start = unsafe PQgetvalue(handle, Int32(row), Int32(column))
        let count = unsafe PQgetlength(handle, Int32(row), Int32(column))
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
    }
}
