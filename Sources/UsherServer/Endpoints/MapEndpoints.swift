import Usher
import UsherHTTP

/// `/admin/apps/{app}/map`: every path through an app, as far as an exploration has walked it.
struct MapEndpoints: Sendable {
    let maps: AppMaps
    let apps: [any App.Type]
    let access: Access
    let log: Log

    func add(to router: inout Router) {
        router.on(.get, "/admin/apps/{app}/map", for: access) { _, parameters in try await map(parameters) }
    }

    private func map(_ parameters: PathParameters) async throws(Problem) -> Response {
        let name = parameters["app"] ?? ""
        let json: [UInt8]?
        do { json = try await maps.map(of: name) } catch {
            log.write(.error, "map failed", ["app": name, "cause": "\(error)"])
            throw Problem(.internalServerError, "the map of \"\(name)\" cannot be written; the server's log says why")
        }
        guard let json else {
            let known = apps.map { $0.name }.sorted().joined(separator: ", ")
            throw Problem(.notFound, "there is no app \"\(name)\"; there are: \(known)")
        }
        return .json(json)
    }
}
