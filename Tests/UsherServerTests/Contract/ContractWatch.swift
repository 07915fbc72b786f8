import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
import Usher
import UsherContract
import UsherHTTP
import UsherJSON

/// A look at every answer that a test gets: it must be one that the contract names, and have the shape that it says.
///
/// It knows the samples' screens; of an app that is none it knows what holds for all.
struct ContractWatch: Sendable {
    static let samples: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    /// The watch that all tests share; nil where the document cannot be written.
    static let shared = try? ContractWatch(of: samples)

    let document: JSONValue

    init(of apps: [any App.Type]) throws {
        document = try JSONDocument(parsing: ContractDocument(of: apps, version: "test").json).root
    }

    /// The reason why an answer is none of the contract's; nil where it is.
    func complaint(_ request: Request, _ answer: Answer) -> String? {
        let method = request.method == .head ? .get : request.method
        guard let path = path(of: request.path), let operation = ContractOperation.of(method, path) else { return nil }
        let responses = document[member: "paths"]?[member: path]?[member: method.rawValue.lowercased()]?[
            member: "responses"]
        guard let response = responses?[member: "\(answer.status)"] else {
            return "\(method.rawValue) \(path) is answered with \(answer.status), which the contract does not name"
        }
        guard ![304, 204].contains(answer.status), request.method != .head else { return nil }
        let name = "\(operation.method.rawValue) \(path) \(answer.status)"
        return complaint(answer, check.resolved(response)).map { "\(name): \($0)" }
    }

    private func complaint(_ answer: Answer, _ response: JSONValue) -> String? {
        let whole = answer.headers["Content-Type"] ?? ""
        let type = String(whole.prefix { $0 != ";" })
        let contents = response[member: "content"]
        guard contents != nil || !answer.body.isEmpty else { return nil }
        // A profile is a media type of its own.
        guard let content = contents?[member: whole] ?? contents?[member: type] else {
            return "the content is \(whole)"
        }
        guard type.hasSuffix("json"), let schema = content[member: "schema"] else { return nil }
        guard let json = answer.json else { return "it is no JSON" }
        return check.complaint(json, schema)
    }

    private var check: SchemaCheck { SchemaCheck(document: document) }

    /// The pattern that a path is of: one that has fewer parameters first.
    private func path(of path: String) -> String? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let patterns = Set(ContractOperation.all.map(\.path)).filter { pattern in
            let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == segments.count
                && zip(parts, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
        }
        return patterns.min { $0.count { $0 == "{" } < $1.count { $0 == "{" } }
    }
}
