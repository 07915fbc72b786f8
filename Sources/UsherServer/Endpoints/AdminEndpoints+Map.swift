import Usher
import UsherExploration
import UsherHTTP
import UsherSessions

/// `/admin/apps/{app}/map`: the paths through an app, found by an exploration.
extension AdminEndpoints {
    func map(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let name = parameters["app"] ?? ""
        let json: [UInt8]?
        let bounds = try Self.bounds(of: request)
        do { json = try await maps.map(of: name, within: bounds) } catch {
            log.write(.error, "map failed", ["app": name, "cause": "\(error)"])
            throw Problem(
                .internalServerError, "the map of \"\(name)\" cannot be written; see the server's log for the reason")
        }
        guard let json else {
            let known = registry.apps.map { $0.name }.sorted().joined(separator: ", ")
            throw Problem(.notFound, "there is no app \"\(name)\"; there are: \(known)")
        }
        return .json(json)
    }

    /// Returns the bounds that a request sets, which cannot be lower than the default bounds.
    private static func bounds(of request: Request) throws(Problem) -> Explorer.Bounds {
        var bounds = AppMaps.bounds
        if let states = try request.number("states", in: bounds.states...10_000) { bounds.states = states }
        if let depth = try request.number("depth", in: bounds.depth...1_000) { bounds.depth = depth }
        if let seconds = try request.number("seconds", in: 20...600) { bounds.time = .seconds(seconds) }
        return bounds
    }
}
