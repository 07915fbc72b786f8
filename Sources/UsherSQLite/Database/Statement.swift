import CSQLite
import UsherJournal

/// A prepared statement, which only the thread that uses its database may use.
@safe
final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ sql: String, on database: Database) throws(SQLiteFailure) {
        var prepared: OpaquePointer?
        let code = unsafe database.withHandle { handle in
            unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        }
        guard code == SQLITE_OK, let handle = unsafe prepared else { throw database.failure }
        unsafe self.handle = handle
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Advances to the next row; returns `false` after the last row.
    func step() throws(SQLiteFailure) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.failure
        }
    }

    func reset() {
        unsafe sqlite3_reset(handle)
    }

    fileprivate func bind(_ value: SQLValue, at index: Int32) throws(SQLiteFailure) {
        let code =
            switch value {
            case .key(let key): bind(key, at: index)
            case .integer(let integer): unsafe sqlite3_bind_int64(handle, index, integer)
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .text(let text): bind(text, at: index)
            case .bytes(let bytes):
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe usher_bind_bytes(handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            }
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code) }
    }

    private func bind(_ key: JournalKey, at index: Int32) -> Int32 {
        // Big endian, so that SQLite sorts the bytes in the order of the keys.
        let words = (key.high.bigEndian, key.low.bigEndian)
        return unsafe withUnsafeBytes(of: words) { bytes in
            unsafe usher_bind_bytes(handle, index, bytes.baseAddress, UInt64(bytes.count))
        }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                unsafe usher_bind_text(handle, index, characters.baseAddress, UInt64(characters.count))
            }
        }
    }

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    func text(_ column: Int32) -> String {
        unsafe String(decoding: bytes(at: column), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        unsafe Array(bytes(at: column))
    }

    func key(_ column: Int32) -> JournalKey? {
        let bytes = unsafe bytes(at: column)
        guard bytes.count == 16 else { return nil }
        let high = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let low = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return JournalKey(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// Returns a column's bytes, which are valid until the next step.
    private func bytes(at column: Int32) -> UnsafeRawBufferPointer {
        // Requests the blob before its size, because requesting the blob may convert the value.
        let start = unsafe sqlite3_column_blob(handle, column)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    fileprivate func journalError(_ failure: SQLiteFailure) -> JournalError {
        failure.journalError(database.path)
    }
}

extension Statement {
    func run(_ values: SQLValue...) throws(JournalError) {
        try each(values) { _ throws(JournalError) in true }
    }

    /// Reads the first row; returns nil if there is no row.
    func first<Result>(_ values: SQLValue..., read: (Statement) -> Result) throws(JournalError) -> Result? {
        var result: Result?
        try each(values) { row throws(JournalError) in
            result = read(row)
            return false
        }
        return result
    }

    func all<Result>(_ values: SQLValue..., read: (Statement) -> Result?) throws(JournalError) -> [Result] {
        try all(values, read: read)
    }

    func all<Result>(_ values: [SQLValue], read: (Statement) -> Result?) throws(JournalError) -> [Result] {
        var results: [Result] = []
        try each(values) { row throws(JournalError) in
            if let result = read(row) { results.append(result) }
            return true
        }
        return results
    }

    /// Calls a closure with each row until it returns `false`.
    private func each(
        _ values: [SQLValue], _ body: (Statement) throws(JournalError) -> Bool
    ) throws(JournalError) {
        // Resets the statement, because otherwise its transaction would stay open.
        defer { reset() }
        do throws(SQLiteFailure) {
            for (index, value) in zip(Int32(1)..., values) { try bind(value, at: index) }
        } catch {
            throw journalError(error)
        }
        while try next() { guard try body(self) else { return } }
    }

    private func next() throws(JournalError) -> Bool {
        do throws(SQLiteFailure) { return try step() } catch { throw journalError(error) }
    }
}

enum SQLValue {
    case key(JournalKey)
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case null

    static func integer(_ integer: Int) -> SQLValue { .integer(Int64(integer)) }
}
