import UsherCompression
import UsherHTTP

extension Response {
    /// Returns this response for a client that polls: a 304 if the client already has the response; otherwise the
    /// response, compressed if compression makes it smaller.
    ///
    /// - Throws: `Problem` 400 for an `If-None-Match` that is not a list of entity tags.
    func repeatable(for request: Request) throws(Problem) -> Response {
        guard request.method == .get, status == .ok, stream == nil, entityTag == nil, !headers.contains("ETag")
        else { return self }
        var answer = self
        // The tag is weak, because the compressed and the uncompressed response have the same tag.
        let tag = "W/\"\(String(body.digest, radix: 16))\""
        answer.headers.append(name: "ETag", value: tag)
        answer.headers.append(name: "Vary", value: "Accept-Encoding")
        guard try !EntityTag.isKnown(tag, to: request) else {
            answer.status = .notModified
            return answer
        }
        guard body.count >= Self.leastCompressed, AcceptedCodings(request).prefersGzip,
            let smaller = Gzip.compress(body), smaller.count < body.count
        else { return answer }
        answer.headers.append(name: "Content-Encoding", value: "gzip")
        answer.body = smaller
        return answer
    }

    /// The size in bytes from which a body is compressed; a smaller body fits into one packet anyway.
    private static let leastCompressed = 1_400
}
