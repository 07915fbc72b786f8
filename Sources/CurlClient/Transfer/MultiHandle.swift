private import CCurl
private import Glibc

/// libcurl's handle for many transfers at once, with their connections.
@safe
final class MultiHandle: @unchecked Sendable {  // because other threads call only `wake`, which libcurl allows
    private let pointer: UnsafeMutableRawPointer?

    /// More requests wait until a connection is free; their time runs.
    private static let connectionLimit = 32

    init() {
        unsafe pointer = Self.isInitialized ? curl_multi_init() : nil
        if let pointer = unsafe pointer { _ = unsafe usher_curl_limit_connections(pointer, Self.connectionLimit) }
    }

    deinit {
        if let pointer = unsafe pointer { _ = unsafe curl_multi_cleanup(pointer) }
    }

    /// Begins a transfer.
    ///
    /// - Returns: whether libcurl has taken it.
    func add(_ easy: EasyHandle) -> Bool {
        guard let pointer = unsafe pointer else { return false }
        return unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK
    }

    func remove(_ easy: EasyHandle) {
        if let pointer = unsafe pointer { _ = unsafe curl_multi_remove_handle(pointer, easy.pointer) }
    }

    /// Does what can be done at once.
    ///
    /// - Returns: those of the transfers that have come to their end, each told so.
    func perform(_ transfers: [Transfer]) -> [Transfer] {
        guard let pointer = unsafe pointer else { return [] }
        var running: Int32 = 0
        guard unsafe curl_multi_perform(pointer, &running) == CURLM_OK else {
            for transfer in transfers { transfer.end(CURLE_FAILED_INIT, on: self) }
            return transfers
        }
        var ended: [Transfer] = []
        var result = CURLE_OK
        while let easy = unsafe usher_curl_next_done(pointer, &result) {
            guard let transfer = transfers.first(where: { unsafe $0.easy.pointer == easy }) else { continue }
            transfer.end(result, on: self)
            ended.append(transfer)
        }
        return ended
    }

    /// Waits until there is something to do.
    func wait() {
        if let pointer = unsafe pointer { _ = unsafe curl_multi_poll(pointer, nil, 0, 1_000, nil) }
    }

    /// Ends a wait, the next one if there is none.
    func wake() {
        if let pointer = unsafe pointer { _ = unsafe curl_multi_wakeup(pointer) }
    }

    private static let isInitialized: Bool = {
        _ = signal(SIGPIPE, SIG_IGN)  // A service that is gone is an error of a call, not the end of the process.
        return curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    }()
}
