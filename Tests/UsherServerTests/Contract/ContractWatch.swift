import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
import Usher
import UsherContract
import UsherHTTP
import UsherJSON

/// Checks that every response in a test is in the contract, and fits its schema.
///
/// The watch knows the samples' screens. For other apps, it checks only what holds for all apps.
struct ContractWatch: Sendable {
    static let samples: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    /// The watch that all tests share; nil if the document cannot be created.
    static let shared = try? ContractWatch(of: samples)

    let document: JSONValue

    init(of apps: [any App.Type]) throws {
        document = try JSONDocument(parsing: ContractDocument(of: apps, version: "test").json).root
    }

    /// Returns the reason why a response is not in the contract; nil if it is.
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
        let found = complaint(answer, check.resolved(response)) ?? complaint(ofApp: answer.json)
        return found.map { "\(name): \($0)" }
    }

    /// Returns the reason why a problem is not listed for the response.
    private func complaint(_ problem: JSONValue, _ response: JSONValue) -> String? {
        let types = response[member: ContractRefusal.typesMember]
        let type = problem[member: "type"]?.string
        guard types?.elements.contains(where: { $0.string == type }) == true else {
            return "the problem's type is \(type ?? "none"), which is none of \(types?.text ?? "none")"
        }
        return nil
    }

    /// Returns the reason why a state's screens or result do not fit the app's declarations.
    private func complaint(ofApp answer: JSONValue?) -> String? {
        guard let state = answer?[member: "current"] ?? answer, let app = state[member: "app"]?.string else {
            return nil
        }
        func complaint(_ value: JSONValue?, _ part: String) -> String? {
            let schema = document[member: "components"]?[member: "schemas"]?[member: "\(app)-\(part)"]
            guard let value, let schema else { return nil }
            return check.complaint(value, schema)
        }
        let screens = state[member: "stack"].map { Array($0.elements) } ?? []
        return screens.lazy.compactMap { screen in
            complaint(screen[member: "state"], "screens-\(screen[member: "screen"]?.string ?? "")-state")
        }.first ?? complaint(state[member: "ended"]?[member: "result"], "result")
    }

    private func complaint(_ answer: Answer, _ response: JSONValue) -> String? {
        let whole = answer.headers["Content-Type"] ?? ""
        let type = String(whole.prefix { $0 != ";" })
        let contents = response[member: "content"]
        guard contents != nil || !answer.body.isEmpty else { return nil }
        // A profile is a separate media type.
        guard let content = contents?[member: whole] ?? contents?[member: type] else {
            return "the content is \(whole)"
        }
        // Compressed JSON equals uncompressed JSON; `RepeatedQuestionTests` decompresses it.
        guard type.hasSuffix("json"), !answer.headers.contains("Content-Encoding"),
            let schema = content[member: "schema"]
        else { return nil }
        guard let json = answer.json else { return "it is no JSON" }
        if let found = check.complaint(json, schema) { return found }
        return type == "application/problem+json" ? complaint(json, response) : nil
    }

    private var check: SchemaCheck { SchemaCheck(document: document) }

    /// Returns the pattern that matches a path, preferably one with fewer parameters.
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
