import HelloBye
import Notes
import Sooda
import StartLoginMain
import Testing
import Tudy
import Usher
import UsherContract
import UsherHTTP
import UsherJSON

@Suite("The OpenAPI document")
struct DocumentTests {
    private static let samples: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    private let document: JSONValue

    init() throws {
        document = try JSONDocument(parsing: ContractDocument(of: Self.samples, version: "9").json).root
    }

    @Test func `the document states the version of OpenAPI and the version of the contract`() {
        #expect(document[member: "openapi"]?.string == "3.1.0")
        #expect(document[member: "info"]?[member: "version"]?.string == "9")
    }

    @Test func `every reference in the document has a target`() {
        var references: Set<String> = []
        collect(document, into: &references)
        #expect(references.count > 50)
        for reference in references.sorted() {
            let names = reference.split(separator: "/").dropFirst()
            let target = names.reduce(document as JSONValue?) { $0?[member: String($1)] }
            #expect(target != nil, "\(reference)")
        }
    }

    @Test func `the document's components have legal names, and its operations have unique names`() {
        for (_, components) in document[member: "components"]?.members.map({ $0 }) ?? [] {
            for (name, _) in components.members {
                let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
                #expect(isName, "\(name)")
            }
        }
        let names = operations.compactMap { $0[member: "operationId"]?.string }
        #expect(names.count == ContractOperation.all.count)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: ProblemKind.allCases)
    func `every kind of problem in the document belongs to an operation`(kind: ProblemKind) {
        let types = document[member: "components"]?[member: "responses"]?.members.compactMap { _, response in
            response[member: ContractRefusal.typesMember]
        }
        #expect(types?.contains { $0.elements.contains { $0.string == kind.type } } == true)
    }

    @Test func `every operation lists the answer for too many connections from the client's address`() {
        for operation in ContractOperation.all {
            let isNamed = operation.refusals.contains { $0.kinds.contains(.tooMuchFromAddress) }
            #expect(isNamed, "\(operation.method.rawValue) \(operation.path)")
        }
    }

    @Test func `only the operator's operations need the operator's token`() {
        for operation in ContractOperation.all {
            let method = operation.method.rawValue.lowercased()
            let written = document[member: "paths"]?[member: operation.path]?[member: method]
            let isInside = ["/admin/", "/apps", "/metrics"].contains { operation.path.hasPrefix($0) }
            let asks = written?[member: "security"]?.elements.allSatisfy { $0[member: "operator"] != nil } == true
            #expect(asks == isInside, "\(operation.path)")
        }
    }

    @Test(arguments: [
        (
            "hello-bye-options",
            """
            {"type":"object","properties":{"greeting":{"type":"boolean"}},"additionalProperties":false,\
            "examples":[{"greeting":false}]}
            """
        ),
        (
            "tudy-screens-login-event",
            """
            {"anyOf":[{"type":"string","enum":["close","showSignUp"]},\
            {"$ref":"#/components/schemas/tudy-screens-login-event-close"},\
            {"$ref":"#/components/schemas/tudy-screens-login-event-showSignUp"},\
            {"$ref":"#/components/schemas/tudy-screens-login-event-login"}],\
            "examples":[{"close":{}},{"showSignUp":{}},{"login":{"name":"kim","password":"…"}}]}
            """
        ),
        (
            "tudy-screens-login-event-close",
            """
            {"type":"object","properties":{"close":{"$ref":"#/components/schemas/NoPayload"}},"required":["close"],\
            "additionalProperties":false}
            """
        ),
        (
            "tudy-screens-login-event-login",
            """
            {"type":"object","properties":{"login":{"$ref":"#/components/schemas/tudy-screens-login-event-login-payload"}},\
            "required":["login"],"additionalProperties":false}
            """
        ),
        (
            "tudy-screens-login-event-login-payload",
            """
            {"type":"object","properties":{"name":{"type":"string"},"password":{"type":"string","format":"password"}},\
            "required":["name","password"],"additionalProperties":false}
            """
        ),
        (
            "notes-screens-main-state",
            """
            {"type":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/notes-types-Note"}},\
            "lastRead":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},\
            "required":["notes"]}
            """
        ),
    ])
    func `the document contains the schema of each type that an app declares`(name: String, text: String) {
        let schema = document[member: "components"]?[member: "schemas"]?[member: name]
        #expect(schema.map { String(decoding: $0.bytes, as: UTF8.self) } == text)
    }

    @Test func `the document has the schemas of the result and the messages that an app's root declares`() throws {
        let schemas = try Self.shop[member: "components"]?[member: "schemas"]
        let result = schemas?[member: "shop-result"]
        #expect(result?[member: "properties"]?[member: "total"]?[member: "type"]?.string == "number")
        #expect(schemas?[member: "shop-message"]?[member: "anyOf"] != nil)
    }

    @Test(arguments: [samples, [], [ShopApp.self]])
    func `the document contains nothing that client generators refuse or ignore`(apps: [any App.Type]) throws {
        let document = try JSONDocument(parsing: ContractDocument(of: apps, version: "9").json).root
        #expect(GeneratorLint.complaints(about: document) == [])
    }

    @Test func `the document describes every event of a stream`() {
        let schemas = document[member: "components"]?[member: "schemas"]
        let events = schemas?[member: "StreamEvent"]?[member: "oneOf"]?.elements.compactMap { event -> String? in
            guard let name = event[member: "$ref"]?.string?.split(separator: "/").last else { return nil }
            let names = schemas?[member: String(name)]?[member: "properties"]?[member: "event"]?[member: "enum"]
            return names.flatMap { Array($0.elements).first?.string }
        }
        #expect(events == ["state", "gap", "end", "held", "refused"])
    }

    private static var shop: JSONValue {
        get throws { try JSONDocument(parsing: ContractDocument(of: [ShopApp.self], version: "9").json).root }
    }

    private var operations: [JSONValue] {
        document[member: "paths"]?.members.flatMap { $0.value.members.map(\.value) } ?? []
    }

    private func collect(_ value: JSONValue, into references: inout Set<String>) {
        if let reference = value[member: "$ref"]?.string { references.insert(reference) }
        for (_, member) in value.members { collect(member, into: &references) }
        for element in value.elements { collect(element, into: &references) }
    }
}

private enum ShopApp: App {
    static var flowHosts: [any FlowHost.Type] { [ShopCoordinator.self] }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator() }
}

private struct Receipt: Codable {
    var total: Double
}

private struct Place: Codable {
    var street: String?
}

private enum Carrier: Codable { case van, ship(name: String) }

private final class ShopCoordinator: Coordinator<Receipt>, FlowHost, MessageReceiver {
    enum Flow: Codable, CaseIterable { case cart }
    enum Message: Codable { case shipped(order: Int, to: Place?, by: [String: Carrier], seen: [Bool?]) }

    func open(_ flow: Flow) throws -> (any FlowHost)? { nil }
    func receive(_ message: Message) throws {}
}
