internal import CCurl

/// libcurl's handle for one transfer, with the header lines that it sends.
@safe
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// - Returns: nil when libcurl has no memory for it.
    init?(_ request: TransferRequest) {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = pointer
        guard set(request) else { return nil }
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headers)
    }

    /// The status of the response.
    var status: Int { unsafe usher_curl_status(pointer) }

    /// Hands what comes to a transfer, which must outlive the handle's time on its `MultiHandle`.
    func deliver(to transfer: Transfer) -> Bool {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        return unsafe usher_curl_set_receivers(pointer, Self.headArrived, Self.bodyArrived, context) == CURLE_OK
    }

    private func set(_ request: TransferRequest) -> Bool {
        let steps = [
            set(CURLOPT_NOSIGNAL, 1),  // There are other threads.
            set(CURLOPT_NOPROXY, "*"),
            set(CURLOPT_FOLLOWLOCATION, 0),
            allowOnlyHTTP(),
            set(CURLOPT_URL, request.url),
            set(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout),
            set(CURLOPT_TIMEOUT_MS, request.timeout),
            setBody(request),
            setHeaders(request.headers),
        ]
        return steps.allSatisfy { $0 }
    }

    private func setBody(_ request: TransferRequest) -> Bool {
        switch request.method {
        case "GET" where request.body.isEmpty: true
        case "HEAD": set(CURLOPT_NOBODY, 1)
        default:
            setContent(request.body) && set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func setContent(_ body: [UInt8]) -> Bool {
        unsafe body.withUnsafeBytes { bytes in
            unsafe usher_curl_set_body(pointer, bytes.baseAddress, curl_off_t(bytes.count)) == CURLE_OK
        }
    }

    private func setHeaders(_ lines: [String]) -> Bool {
        for line in lines {
            guard let longer = unsafe curl_slist_append(headers, line) else { return false }
            unsafe headers = longer
        }
        return unsafe usher_curl_set_headers(pointer, headers) == CURLE_OK
    }

    private func allowOnlyHTTP() -> Bool {
        unsafe usher_curl_allow_http_only(pointer) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ number: Int) -> Bool {
        unsafe usher_curl_set_number(pointer, option, number) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ text: String) -> Bool {
        unsafe usher_curl_set_text(pointer, option, text) == CURLE_OK
    }

    private static let headArrived: curl_write_callback = { _, size, count, context in
        unsafe transfer(context)?.takeHead(size * count) == true ? size * count : 0
    }

    private static let bodyArrived: curl_write_callback = { bytes, size, count, context in
        let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe transfer(context)?.takeBody(part) == true ? size * count : 0
    }

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
