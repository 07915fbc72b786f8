package import UsherFuture
private import UsherJSON

/// An error that is sent as problem details (RFC 9457).
package struct Problem: Error, Sendable {
    /// The status of the response, repeated in its body.
    package var status: Status
    /// The kind of problem; nil if the status says enough.
    package private(set) var kind: ProblemKind?
    /// One sentence that says what is wrong and what to do.
    package var detail: String
    /// Additional header fields of the response, such as `Allow` or `Retry-After`.
    package var headers: HeaderFields
    /// Extension members with their values as JSON text.
    package var members: [(name: String, json: [UInt8])]

    /// Creates a problem without a `type` of its own.
    package init(
        _ status: Status, _ detail: String, headers: HeaderFields = HeaderFields(),
        members: [(name: String, json: [UInt8])] = []
    ) {
        self.status = status
        self.detail = detail
        self.headers = headers
        self.members = members
    }

    /// Creates a problem of a kind, with the kind's status.
    package init(
        _ kind: ProblemKind, _ detail: String, headers: HeaderFields = HeaderFields(),
        members: [(name: String, json: [UInt8])] = []
    ) {
        self.init(kind.status, detail, headers: headers, members: members)
        self.kind = kind
    }

    /// The `application/problem+json` response.
    package var response: Response {
        var fields = headers
        fields.set(name: "Content-Type", value: "application/problem+json")
        if status.isCacheableRefusal, !fields.contains("Cache-Control") {
            // A cached refusal would hide a resource that is created soon after the refusal.
            fields.set(name: "Cache-Control", value: "no-store")
        }
        return Response(status: status, headers: fields, body: json)
    }

    /// The body of the response, as one line.
    package var json: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        writer.beginObject()
        writer.key("type")
        writer.string(kind?.type ?? "about:blank")
        writer.key("title")
        writer.string(status.reason.description)
        writer.key("status")
        writer.integer(status.code)
        writer.key("detail")
        writer.string(detail)
        for member in members {
            writer.key(member.name)
            writer.raw(member.json)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension Problem {
    /// Creates a 503: the request was not performed, because the server is full.
    package static func serverFull(_ detail: String, retryAfter seconds: Int) -> Problem {
        Problem(.serverFull, detail, headers: ["Retry-After": "\(seconds)"])
    }

    /// Creates a 429: the client's address has exceeded its limit of sessions or requests.
    package static func tooMuchFromAddress(_ detail: String, retryAfter seconds: Int) -> Problem {
        Problem(.tooMuchFromAddress, detail, headers: ["Retry-After": "\(seconds)"])
    }
}

extension Future<Response> {
    /// Runs asynchronous work and turns a thrown problem into its response.
    package static func attempt(_ work: @escaping @Sendable () async throws(Problem) -> Response) -> Future<Response> {
        .async { do throws(Problem) { return try await work() } catch { return error.response } }
    }
}
