extension RequestHead {
    /// RFC 9112 §6.1 and §6.3, with every ambiguity refused: what two readers may frame in two ways is an attack.
    func framing(limit: Int) throws(Problem) -> Framing {
        let lengths = headers.values(of: "Content-Length")
        guard !headers.contains("Transfer-Encoding") else {
            try checkTransferEncoding(besideLength: !lengths.isEmpty)
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1 else {
            throw Problem(.badRequest, "The request has more than one Content-Length field; send exactly one.")
        }
        let length = try Self.length(text)
        guard length <= limit else { throw Self.tooLarge(limit) }
        return length == 0 ? .none : .length(length)
    }

    /// The refusal of a body that is too large.
    public static func tooLarge(_ limit: Int) -> Problem {
        Problem(.contentTooLarge, "The body has more than \(limit) bytes, which is the most that is taken.")
    }

    private func checkTransferEncoding(besideLength: Bool) throws(Problem) {
        guard !besideLength else {
            throw Problem(.badRequest, "The request has both Transfer-Encoding and Content-Length; send one of them.")
        }
        guard version == "HTTP/1.1" else {
            throw Problem(.badRequest, "HTTP/1.0 has no Transfer-Encoding; send Content-Length or HTTP/1.1.")
        }
        let codings = headers.values(of: "Transfer-Encoding")
        guard codings.count == 1, codings.allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw Problem(.badRequest, "The Transfer-Encoding is not chunked, the only one that is understood.")
        }
    }

    // Digits only: no sign, no list, no blank; and no more of them than fit.
    private static func length(_ text: String) throws(Problem) -> Int {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber else {
            throw Problem(.badRequest, "The Content-Length is not a decimal number of bytes.")
        }
        return Int(text) ?? Int.max
    }
}
