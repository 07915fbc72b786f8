extension RequestHead {
    /// RFC 9112 §6.1 and §6.3, with every ambiguity refused: what two readers may frame in two ways is an attack.
    func framing(_ fields: DecisiveFields, limit: Int) throws(Problem) -> Framing {
        guard fields.coding.count == 0 else {
            try checkCoding(fields)
            return .chunked
        }
        guard fields.length.count > 0 else { return .none }
        guard fields.length.count == 1 else {
            throw Problem(.badRequest, "The request has more than one Content-Length field; send exactly one.")
        }
        let length = try Self.length(headers.bytes.span.extracting(fields.length.value))
        guard length <= limit else { throw Self.tooLarge(limit) }
        return length == 0 ? .none : .length(length)
    }

    /// The refusal of a body that is too large.
    package static func tooLarge(_ limit: Int) -> Problem {
        Problem(.contentTooLarge, "The body has more than \(limit) bytes, which is the most that is taken.")
    }

    private func checkCoding(_ fields: DecisiveFields) throws(Problem) {
        guard fields.length.count == 0 else {
            throw Problem(.badRequest, "The request has both Transfer-Encoding and Content-Length; send one of them.")
        }
        guard version == "HTTP/1.1" else {
            throw Problem(.badRequest, "HTTP/1.0 has no Transfer-Encoding; send Content-Length or HTTP/1.1.")
        }
        guard headers.isOnly(fields.coding, "chunked") else {
            throw Problem(.badRequest, "The Transfer-Encoding is not chunked, the only one that is understood.")
        }
    }

    // Digits only: no sign, no list, no blank; and more than fit are simply too many.
    private static func length(_ text: Span<UInt8>) throws(Problem) -> Int {
        guard !text.isEmpty, text.indices.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[$0]) })
        else {
            throw Problem(.badRequest, "The Content-Length is not a decimal number of bytes.")
        }
        var length = 0
        for index in text.indices {
            let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
            guard !overflow, tens <= Int.max - 9 else { return .max }
            length = tens + Int(text[index] - UInt8(ascii: "0"))
        }
        return length
    }
}
