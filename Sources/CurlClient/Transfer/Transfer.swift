internal import CCurl

/// One request on its way, and what has come of its response; lives on the loop's thread.
final class Transfer {
    let id: Int
    let easy: EasyHandle
    private let continuation: WaitingTransfers.Continuation
    private let limit: Int
    private var headSize = 0
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Begins a transfer.
    ///
    /// - Returns: nil when it could not begin; whoever waits is told.
    static func start(_ arrival: WaitingTransfers.Arrival, on multi: MultiHandle) -> Transfer? {
        if let easy = EasyHandle(arrival.request) {
            let transfer = Transfer(arrival, easy)
            if easy.deliver(to: transfer), multi.add(easy) { return transfer }
        }
        arrival.continuation.resume(returning: .failure(.failed("libcurl did not take the request")))
        return nil
    }

    private init(_ arrival: WaitingTransfers.Arrival, _ easy: EasyHandle) {
        id = arrival.id
        continuation = arrival.continuation
        limit = arrival.request.responseLimit
        self.easy = easy
    }

    /// - Returns: false when that is more than may come.
    func takeHead(_ count: Int) -> Bool {
        headSize += count
        isTooLarge = headSize > limit
        return !isTooLarge
    }

    /// - Returns: false when that is more than may come.
    func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
        isTooLarge = part.count > limit - body.count
        if !isTooLarge { unsafe body.append(contentsOf: part) }
        return !isTooLarge
    }

    /// Breaks it off.
    func cancel(on multi: MultiHandle) {
        multi.remove(easy)
        continuation.resume(returning: .failure(.cancelled))
    }

    /// Tells whoever waits what has become of it.
    func end(_ code: CURLcode, on multi: MultiHandle) {
        let result: Result<(status: Int, body: [UInt8]), CurlError> =
            code == CURLE_OK
            ? .success((easy.status, body)) : .failure(isTooLarge ? .tooLarge(limit: limit) : CurlError(code))
        multi.remove(easy)
        continuation.resume(returning: result)
    }
}

extension CurlError {
    /// What libcurl says of a transfer that has failed.
    fileprivate init(_ code: CURLcode) {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: self = .invalidURL
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST: self = .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        default: self = .failed(unsafe String(cString: curl_easy_strerror(code)))
        }
    }
}
