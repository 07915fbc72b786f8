extension EncodingState {
    /// Whether the text from `start` on is an array.
    func isArray(at start: Int) -> Bool {
        start < writer.bytes.count && writer.bytes[start] == ASCII.openBracket
    }

    /// Sorts the value that begins at `start` and has just ended.
    mutating func sort(from start: Int, valuesPerElement: Int) throws(JSONError) {
        do throws(JSONError) {
            try writer.sortValue(from: start, valuesPerElement: valuesPerElement)
        } catch {
            throw fail(error.reason)
        }
    }
}
