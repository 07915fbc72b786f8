/// What is made of a request: the response, or the way to it where something has to be waited for.
///
/// Most requests need not wait. These are answered where they came in, without a task of their own, which would cost
/// more than all the rest.
public enum Reply: Sendable {
    /// The response is there.
    case now(Response)
    /// The response comes once something has been waited for.
    case later(@Sendable () async -> Response)
    /// The response comes soon and by itself, from wherever: it is handed once to what is passed in, and nothing waits
    /// for it with a task.
    case arriving(@Sendable (@escaping @Sendable (Response) -> Void) -> Void)

    /// The response, waited for where it is not there yet.
    public var response: Response {
        get async {
            switch self {
            case .now(let response): response
            case .later(let work): await work()
            case .arriving(let begin):
                await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
            }
        }
    }

    /// The response that comes, or the problem that is thrown instead.
    public static func attempt(_ work: @escaping @Sendable () async throws(Problem) -> Response) -> Reply {
        .later { do throws(Problem) { return try await work() } catch { return error.response } }
    }

    /// The same with the response changed, now or when it comes.
    public func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
        switch self {
        case .now(let response): .now(change(response))
        case .later(let work): .later { change(await work()) }
        case .arriving(let begin): .arriving { receive in begin { receive(change($0)) } }
        }
    }
}
