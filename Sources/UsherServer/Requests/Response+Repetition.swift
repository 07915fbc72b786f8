import UsherCompression
import UsherHTTP

extension Response {
    /// Returns this response for a polling client: 304 if the client has it already, compressed if this is smaller.
    ///
    /// - Throws: `Problem` 400 for an `If-None-Match` that is not a list of entity tags.
    func repeatable(for request: Request) throws(Problem) -> Response {
        guard request.method == .get, status == .ok, stream == nil, entityTag == nil, !headers.contains("ETag")
        else { return self }
        var answer = self
        // A weak tag, because it stands for the content with and without compression.
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

    /// The minimum size to compress; a smaller body fits into one packet.
    private static let leastCompressed = 1_400
}
