import UsherHTTP

extension Request {
    /// How many items of a list a client asks for; 100 unless it says.
    ///
    /// - Throws: `Problem` 400 for anything but a number from 1 to 1000.
    func pageLimit() throws(Problem) -> Int {
        try number("limit", in: 1...1_000) ?? 100
    }

    /// A parameter of the query that is a number.
    ///
    /// - Returns: nil where it is not there.
    /// - Throws: `Problem` 400 for anything but a number in the range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try queryParameter(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
            throw Problem(
                .badRequest, "\"\(name)\" takes a number from \(range.lowerBound) \(end)",
                type: ProblemType.malformedRequest)
        }
        return number
    }
}
