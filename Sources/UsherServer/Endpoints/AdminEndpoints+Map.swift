import Usher
import UsherHTTP
import UsherSessions

/// `/admin/apps/{app}/map`: every path through an app, as far as an exploration has walked it.
extension AdminEndpoints {
    func map(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let name = parameters["app"] ?? ""
        let json: [UInt8]?
        do { json = try await maps.map(of: name) } catch {
            log.write(.error, "map failed", ["app": name, "cause": "\(error)"])
            throw Problem(.internalServerError, "the map of \"\(name)\" cannot be written; the server's log says why")
        }
        guard let json else {
            let known = registry.apps.map { $0.name }.sorted().joined(separator: ", ")
            throw Problem(.notFound, "there is no app \"\(name)\"; there are: \(known)")
        }
        return .json(json)
    }
}
