internal import Synchronization
internal import UsherProcess

/// Carries the requests of a client, all on one thread of its own, which is there while there are any.
final class TransferLoop: Sendable {
    private let waiting = Mutex(WaitingTransfers())
    private let multi = MultiHandle()

    /// Carries one request to its end, or until the task is cancelled.
    func run(_ request: TransferRequest) async -> Result<(status: Int, body: [UInt8]), CurlError> {
        if Task.isCancelled { return .failure(.cancelled) }
        let id = waiting.withLock { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(WaitingTransfers.Arrival(id: id, request: request, continuation: continuation))
                // A cancellation that came just before found nothing to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ arrival: WaitingTransfers.Arrival) {
        guard waiting.withLock({ $0.add(arrival) }) else { return multi.wake() }
        guard !SystemThread.start({ self.carry() }) else { return }
        for continuation in waiting.withLock({ $0.abandon() }) {
            continuation.resume(returning: .failure(.failed("the system has no thread left")))
        }
    }

    private func cancel(_ id: Int) {
        if let continuation = waiting.withLock({ $0.cancel(id) }) {
            continuation.resume(returning: .failure(.cancelled))
        } else {
            multi.wake()
        }
    }

    // The thread: ends when nothing is left.
    private func carry() {
        var transfers: [Transfer] = []
        while let news = waiting.withLock({ $0.take(isIdle: transfers.isEmpty) }) {
            for arrival in news.arrived {
                if let transfer = Transfer.start(arrival, on: multi) { transfers.append(transfer) }
            }
            transfers.removeAll { transfer in
                guard news.cancelled.contains(transfer.id) else { return false }
                transfer.cancel(on: multi)
                return true
            }
            let ended = multi.perform(transfers)
            transfers.removeAll { transfer in ended.contains { $0 === transfer } }
            if !transfers.isEmpty { multi.wait() }
        }
    }
}
