extension EncodingState {
    /// The way to where the writer is now.
    func path(depth: Int? = nil) -> [PathKey] {
        let path = PartialPath(of: writer.bytes[start...]).keys
        return Array(path.prefix(depth ?? path.count))
    }

    /// Notes an error; the first counts, and is given back.
    mutating func fail(_ error: JSONError) -> JSONError {
        let first = failure ?? error
        failure = first
        return first
    }

    /// Notes an error at the place where the writer is now.
    mutating func fail(_ reason: String) -> JSONError {
        fail(JSONError(.shape, reason, at: path().pointer))
    }

    /// Notes an error that a type threw.
    mutating func fail(_ error: any Error) -> JSONError {
        switch error {
        case let error as JSONError: fail(error)
        case EncodingError.invalidValue(_, let context): fail(context.debugDescription)
        default: fail(String(describing: error))
        }
    }

    var tooDeep: JSONError {
        JSONError(.depth, "more than \(JSONDocument.maximumDepth) levels of nesting", at: path().pointer)
    }

    var outOfTurn: JSONError {
        let reason = "a value was written out of turn: one container must be finished before the next one beside it"
        return JSONError(.shape, reason, at: path().pointer)
    }
}
