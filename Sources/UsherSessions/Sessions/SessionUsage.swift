import Usher

/// How much a session has taken of what it may take in all.
struct SessionUsage {
    private let inputs: (used: Int, limit: Int)
    private let bytes: (used: Int, limit: Int)

    /// Makes one of a session's inputs, and of their bytes.
    init(inputs: Int, of inputLimit: Int, bytes: Int, of byteLimit: Int) {
        self.inputs = (inputs, inputLimit)
        self.bytes = (bytes, byteLimit)
    }

    /// The answer to any further input; nil as long as the session accepts one.
    var excess: Rejection? {
        guard let measure = measure(from: 1) else { return nil }
        return Rejection(
            .limit,
            "a session can take \(measure.limit) \(measure.unit), and this one has; open another with POST /sessions")
    }

    /// The warnings that a client gets before it comes to that: from 80 % on.
    var notes: [String] {
        guard let measure = measure(from: 0.8) else { return [] }
        return [
            """
            the session has taken \(measure.used) of \(measure.limit) \(measure.unit); after these it takes no more, \
            so open another in time
            """
        ]
    }

    /// The first limit of which a part is used.
    private func measure(from part: Double) -> (used: Int, limit: Int, unit: String)? {
        if Double(inputs.used) >= Double(inputs.limit) * part { return (inputs.used, inputs.limit, "inputs") }
        if Double(bytes.used) >= Double(bytes.limit) * part { return (bytes.used, bytes.limit, "bytes of inputs") }
        return nil
    }
}
