extension RequestHead {
    func checkVersion() throws(Problem) {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Problem(.httpVersionNotSupported, "The request is not of HTTP/1.1 or HTTP/1.0; send one of these.")
        }
    }

    /// RFC 9112 §3.1, and the forms of target that belong to a method (§3.2).
    func checkedMethod(for target: Target) throws(Problem) -> Method {
        guard let method = Method(rawValue: method) else {
            throw Problem(.badRequest, "The request's method is not a token of letters, digits and !#$%&'*+-.^_`|~.")
        }
        guard method != .connect, target.form != .authority else {
            throw Problem(.badRequest, "This server makes no tunnels: CONNECT and its form of target are refused.")
        }
        guard target.form != .asterisk || method == .options else {
            throw Problem(.badRequest, "The target * goes with OPTIONS only; send a path that begins with /.")
        }
        return method
    }

    func checkFields(_ fields: DecisiveFields) throws(Problem) {
        guard !hasIllegalField else {
            throw Problem(
                .badRequest,
                "A header field's name is not a token, or its value holds a control character; remove or encode it.")
        }
        guard fields.expectation.count == 0 || headers.isOnly(fields.expectation, "100-continue") else {
            throw Problem(
                .expectationFailed, "Expect holds something other than 100-continue, which is all that is met.")
        }
        try checkHost(fields)
    }

    /// RFC 9112 §3.2: one valid `Host` in 1.1, at most one in 1.0.
    private func checkHost(_ fields: DecisiveFields) throws(Problem) {
        guard fields.host.count == 1 || fields.host.count == 0 && version == "HTTP/1.0" else {
            let found = fields.host.count == 0 ? "no Host field" : "more than one Host field"
            throw Problem(.badRequest, "The request has \(found); send exactly one.")
        }
        guard Authority.isValid(headers.bytes.span.extracting(fields.host.value)) else {
            throw Problem(.badRequest, "The Host field is not a host name or address with an optional port.")
        }
    }

    /// The authority of an absolute target replaces the `Host` field (RFC 9112 §3.2.2).
    func fieldsWithHost(_ target: Target) -> HeaderFields {
        guard case .absolute(let authority) = target.form else { return headers }
        var fields = headers
        fields.set(name: "Host", value: authority)
        return fields
    }
}
