package import UsherFuture

extension Future<Response> {
    /// The response that comes, or the problem that is thrown instead.
    package static func attempt(_ work: @escaping @Sendable () async throws(Problem) -> Response) -> Future<Response> {
        .async { do throws(Problem) { return try await work() } catch { return error.response } }
    }
}
