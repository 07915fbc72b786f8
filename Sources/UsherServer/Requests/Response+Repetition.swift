import UsherCompression
import UsherHTTP

extension Response {
    /// This answer for a client that asks again and again: 304 if the client has the answer already, and compressed if the
    /// client takes that and if it is smaller.
    ///
    /// - Parameter request: The request that it answers.
    /// - Throws: `Problem` 400 for an `If-None-Match` that is no list of entity tags.
    func repeatable(for request: Request) throws(Problem) -> Response {
        guard request.method == .get, status == .ok, stream == nil, entityTag == nil, !headers.contains("ETag")
        else { return self }
        var answer = self
        // A weak one: it stands for the same content, compressed or not.
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

    /// A shorter content goes into one packet as it is.
    private static let leastCompressed = 1_400
}
