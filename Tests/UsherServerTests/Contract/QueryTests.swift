import HelloBye
import Testing
import UsherContract
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The query of each request")
struct QueryTests {
    /// The operations of the contract except for the page's, because links to the page's files may have any query.
    private static let operations = ContractOperation.all.filter { !["/", "/debug/"].contains($0.path) }

    @Test func `a query with unknown or repeated parameters is refused, and the message lists the known parameters`()
        async throws
    {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            for operation in Self.operations {
                let names = try #require(Self.names(of: operation))
                let wrong =
                    ["other=1", "&", "%20=1"] + names.flatMap { ["\($0)=1&\($0)=1", $0, "\($0)=1&", "\($0)=1&tom"] }
                for query in wrong {
                    let answer = try await stage.request(operation.method, Self.path(of: operation), query: query)
                    let request = "\(operation.method.rawValue) \(operation.path)?\(query): \(answer.text)"
                    #expect(answer.status == 400, "\(request)")
                    #expect(answer["type"]?.string == "urn:usher:problem:malformed-request", "\(request)")
                    #expect(names.allSatisfy { answer.detail.contains($0) }, "\(request)")
                    #expect(!names.isEmpty || answer.detail.contains("no parameters"), "\(request)")
                }
            }
        }
    }

    @Test func `an empty query is accepted`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self]) { stage throws in
            for path in ["/healthz", "/apps", "/admin/sessions"] {
                #expect(try await stage.request(.get, path, query: "").status == 200)
            }
        }
    }

    /// Returns the names of the query's parameters in the document.
    private static func names(of operation: ContractOperation) -> [String]? {
        guard let document = ContractWatch.shared?.document else { return nil }
        let check = SchemaCheck(document: document)
        let method = operation.method.rawValue.lowercased()
        let parameters = document[member: "paths"]?[member: operation.path]?[member: method]?[member: "parameters"]
        return (parameters.map { Array($0.elements) } ?? []).map(check.resolved).compactMap { parameter in
            parameter[member: "in"]?.string == "query" ? parameter[member: "name"]?.string : nil
        }
    }

    private static func path(of operation: ContractOperation) -> String {
        operation.path.replacing("{id}", with: String(repeating: "0", count: 32))
            .replacing("{revision}", with: "1").replacing("{app}", with: "hello-bye")
    }
}
