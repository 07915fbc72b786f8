/// The head of a request as it was received: the unchecked request line and header section.
///
/// `check(bodyLimit:into:)` makes every check of RFC 9112 that needs no socket.
package struct RequestHead: Sendable {
    /// How the end of the message body is found (RFC 9112 §6.3).
    package enum Framing: Hashable, Sendable {
        case none
        /// `Content-Length` gives the number of bytes.
        case length(Int)
        /// Chunks; the last one has the size zero.
        case chunked

        /// A Boolean value that indicates whether a body follows.
        package var hasBody: Bool {
            if case .none = self { false } else { true }
        }
    }

    /// A flaw that was found while the head was read, and that the head's other properties do not show.
    package enum Flaw: Hashable, Sendable {
        /// `headers` lacks a field because its name or value is not legal.
        case illegalField
        /// The section has text that is no field: a folded line (RFC 9112 §5.2), or text after a NUL.
        case hiddenText
        /// `Transfer-Encoding` or `Expect` has blanks after its value, which libmicrohttpd does not remove.
        case paddedValue
        /// The head leaves too little memory for the response's head.
        case noRoom
    }

    /// The first word of the request line.
    package var method: String
    /// The second word, parsed, or the problem with that word.
    package var target: Result<RequestTarget, Problem>
    /// The last word of the request line.
    package var version: String
    package var headers: HeaderFields
    /// The flaw that the other properties do not show; nil if there is none.
    package var flaw: Flaw?

    package init(
        method: String, target: Result<RequestTarget, Problem>, version: String = "HTTP/1.1", headers: HeaderFields,
        flaw: Flaw? = nil
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.flaw = flaw
    }

    /// Checks the head and moves its parts into a request without copying them.
    ///
    /// - Parameters:
    ///   - bodyLimit: The largest accepted body, in bytes.
    ///   - request: Set to the request, still without its body.
    /// - Returns: The framing of the body.
    /// - Throws: The problem to respond with. The connection must be closed, because the framing is in doubt.
    package consuming func check(bodyLimit: Int, into request: inout Request) throws(Problem) -> Framing {
        try checkVersion()
        // A `switch` instead of `Result.get`, which is generic and copies the whole result.
        let target =
            switch self.target {
            case .success(let target): target
            case .failure(let problem): throw problem
            }
        let method = try checkedMethod(for: target)
        let controls = ControlFields(headers)
        try checkFields(controls)
        let framing = try framing(controls, limit: bodyLimit)
        request.method = method
        request.target = target.path
        request.query = target.query
        request.headers = fieldsWithHost(target)
        return framing
    }

    /// Returns the 413 for a body that is too large.
    package static func tooLarge(_ limit: Int) -> Problem {
        Problem(.contentTooLarge, "The body has more than \(limit) bytes, which is the limit.")
    }

    private func checkVersion() throws(Problem) {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Problem(
                .httpVersionNotSupported, "The request's version is not HTTP/1.1 or HTTP/1.0; send one of these.")
        }
    }

    /// Checks the method (RFC 9112 §3.1) and the form of target that belongs to it (§3.2).
    private func checkedMethod(for target: RequestTarget) throws(Problem) -> Method {
        guard let method = Method(rawValue: method) else {
            throw Problem(.badRequest, "The request's method is not a token of letters, digits and !#$%&'*+-.^_`|~.")
        }
        guard method != .connect, target.form != .authority else {
            throw Problem(
                .badRequest, "This server is not a proxy: it rejects CONNECT and the form of target that CONNECT has.")
        }
        guard target.form != .asterisk || method == .options else {
            throw Problem(.badRequest, "The target * is only for OPTIONS; send a path that begins with /.")
        }
        return method
    }

    private func checkFields(_ controls: ControlFields) throws(Problem) {
        if let flaw { throw flaw.problem }
        guard controls.expectation.count == 0 || controls.expectation.isOnly("100-continue", of: headers) else {
            throw Problem(
                .expectationFailed, "The value of Expect is not \"100-continue\", which is the only one supported.")
        }
        try checkHost(controls)
    }

    /// Requires one valid `Host` in HTTP/1.1, and at most one in HTTP/1.0 (RFC 9112 §3.2).
    private func checkHost(_ controls: ControlFields) throws(Problem) {
        guard controls.host.count == 1 || controls.host.count == 0 && version == "HTTP/1.0" else {
            let found = controls.host.count == 0 ? "no Host field" : "more than one Host field"
            throw Problem(.badRequest, "The request has \(found); send exactly one.")
        }
        guard Authority.isValid(headers.bytes.span.extracting(controls.host.value)) else {
            throw Problem(.badRequest, "The Host field is not a host name or address with an optional port.")
        }
    }

    /// The authority of an absolute target replaces the `Host` field (RFC 9112 §3.2.2).
    private func fieldsWithHost(_ target: RequestTarget) -> HeaderFields {
        guard case .absolute(let authority) = target.form else { return headers }
        var fields = headers
        fields.set(name: "Host", value: authority)
        return fields
    }

    /// Determines the framing (RFC 9112 §6.1, §6.3) and rejects ambiguous framing, which would allow request smuggling.
    private func framing(_ controls: ControlFields, limit: Int) throws(Problem) -> Framing {
        guard controls.coding.count == 0 else {
            try checkCoding(controls)
            return .chunked
        }
        guard controls.length.count > 0 else { return .none }
        guard controls.length.count == 1 else {
            throw Problem(.badRequest, "The request has more than one Content-Length field; send exactly one.")
        }
        let length = try Self.length(headers.bytes.span.extracting(controls.length.value))
        guard length <= limit else { throw Self.tooLarge(limit) }
        return length == 0 ? .none : .length(length)
    }

    private func checkCoding(_ controls: ControlFields) throws(Problem) {
        guard controls.length.count == 0 else {
            throw Problem(.badRequest, "The request has both Transfer-Encoding and Content-Length; send one of them.")
        }
        guard version == "HTTP/1.1" else {
            throw Problem(
                .badRequest, "HTTP/1.0 does not have Transfer-Encoding; send Content-Length, or use HTTP/1.1.")
        }
        guard controls.coding.isOnly("chunked", of: headers) else {
            throw Problem(.badRequest, "The Transfer-Encoding is not \"chunked\", which is the only one supported.")
        }
    }

    // Accepts only digits: no sign, list or blank. A number that does not fit exceeds every limit.
    private static func length(_ text: Span<UInt8>) throws(Problem) -> Int {
        guard !text.isEmpty, text.indices.allSatisfy({ FieldGrammar.isDigit(text[$0]) }) else {
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

extension RequestHead.Flaw {
    fileprivate var problem: Problem {
        switch self {
        case .illegalField:
            Problem(
                .badRequest,
                "A header field's name is not a token, or the field's value has a control character; remove the field, or "
                    + "encode the value.")
        case .hiddenText:
            Problem(
                .badRequest,
                "The head has a folded line, a NUL, or a line that is not a field; send each field on one line.")
        case .paddedValue:
            Problem(.badRequest, "The value of Transfer-Encoding or Expect ends with spaces; remove them.")
        case .noRoom:
            Problem(
                .requestHeaderFieldsTooLarge,
                "The header section leaves no memory for an answer; send fewer or shorter fields.")
        }
    }
}

/// The fields that determine the body's framing and the host (RFC 9110 §7.2, §8.6, §10.1.1; RFC 9112 §6.1).
private struct ControlFields {
    /// The first value of a field that must occur only once, and its number of occurrences.
    struct Occurrence {
        var value = 0..<0
        /// 0, 1, or 2 for more than one.
        var count = 0

        init(_ name: borrowing FieldName, in headers: borrowing HeaderFields) {
            guard let line = headers.first(name) else { return }
            value = line.value
            count = headers.isRepeated(name, behind: line) ? 2 : 1
        }

        /// Returns `true` if the field occurs once and has this value, without regard to case.
        func isOnly(_ lowercased: StaticString, of headers: borrowing HeaderFields) -> Bool {
            count == 1
                && headers.bytes[value].lazy.map(FieldGrammar.lowercased).elementsEqual(lowercased.description.utf8)
        }
    }

    let host: Occurrence
    let expectation: Occurrence
    let length: Occurrence
    let coding: Occurrence

    init(_ headers: borrowing HeaderFields) {
        host = Occurrence(.host, in: headers)
        expectation = Occurrence(.expect, in: headers)
        length = Occurrence(.contentLength, in: headers)
        coding = Occurrence(.transferEncoding, in: headers)
    }
}
