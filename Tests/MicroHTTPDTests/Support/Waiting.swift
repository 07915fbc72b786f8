import UsherFuture
import UsherHTTP

/// The ways in which a response can be waited for.
enum Waiting: CaseIterable {
    /// By a task of the request's own.
    case task
    /// By nobody: it arrives, maybe before the handler has come back.
    case arrival

    func reply(_ handler: @escaping @Sendable (Request) async -> Response) -> @Sendable (Request) -> Future<Response> {
        switch self {
        case .task: { request in .async { await handler(request) } }
        case .arrival:
            { request in .callback { receive in Task.immediate { receive(await handler(request)) } } }
        }
    }
}
