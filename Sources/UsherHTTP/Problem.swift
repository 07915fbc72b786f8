package import UsherFuture
private import UsherJSON

/// A refusal that a client can read: the problem details of RFC 9457, as an error that knows its response.
package struct Problem: Error, Sendable {
    /// The status of the response, repeated in its body.
    package var status: Status
    /// The kind of problem; nil where the status says it all.
    package private(set) var kind: ProblemKind?
    /// The mistake of this time, and the remedy; one sentence.
    package var detail: String
    /// Further header fields of the response, such as `Allow` or `Retry-After`.
    package var headers: HeaderFields
    /// Extension members: each value is JSON text already.
    package var members: [(name: String, json: [UInt8])]

    /// A problem that says what was wrong.
    package init(
        _ status: Status, _ detail: String, headers: HeaderFields = HeaderFields(),
        members: [(name: String, json: [UInt8])] = []
    ) {
        self.status = status
        self.detail = detail
        self.headers = headers
        self.members = members
    }

    /// A problem of a kind of its own.
    package init(
        _ kind: ProblemKind, _ detail: String, headers: HeaderFields = HeaderFields(),
        members: [(name: String, json: [UInt8])] = []
    ) {
        self.init(kind.status, detail, headers: headers, members: members)
        self.kind = kind
    }

    /// The response: `application/problem+json`.
    package var response: Response {
        var fields = headers
        fields.set(name: "Content-Type", value: "application/problem+json")
        if status.isCacheableRefusal, !fields.contains("Cache-Control") {
            // A resource that is not there may be there soon, and no cache may answer for the server meanwhile.
            fields.set(name: "Cache-Control", value: "no-store")
        }
        return Response(status: status, headers: fields, body: json)
    }

    /// The response's body, as one line.
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
    /// 503: there is no room for this now; it has not happened.
    package static func serverFull(_ detail: String, retryAfter seconds: Int) -> Problem {
        Problem(.serverFull, detail, headers: ["Retry-After": "\(seconds)"])
    }

    /// 429: the client's address has opened, or sent, more than it may.
    package static func tooMuchFromAddress(_ detail: String, retryAfter seconds: Int) -> Problem {
        Problem(.tooMuchFromAddress, detail, headers: ["Retry-After": "\(seconds)"])
    }
}

extension Future<Response> {
    /// The response that comes, or that of the problem which is thrown instead.
    package static func attempt(_ work: @escaping @Sendable () async throws(Problem) -> Response) -> Future<Response> {
        .async { do throws(Problem) { return try await work() } catch { return error.response } }
    }
}
