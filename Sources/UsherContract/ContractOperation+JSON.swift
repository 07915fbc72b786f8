import UsherHTTP
import UsherJSON

extension ContractOperation {
    func write(into writer: inout JSONWriter) {
        writer.member("operationId", name)
        writer.member("summary", summary)
        if !parameters.isEmpty {
            writer.array("parameters", of: parameters) { writer, parameter in
                writer.reference("#/components/parameters/\(parameter.component)")
            }
        }
        if let body { writeBody(body, into: &writer) }
        writer.object("responses") { writer in
            for answer in answers { write(answer, into: &writer) }
            for refusal in refusals {
                writer.reference("\(refusal.status.code)", to: "#/components/responses/\(refusal.component)")
            }
        }
        if key != .none, !isOpen { writeSecurity(into: &writer) }
    }

    private func writeBody(_ schema: String, into writer: inout JSONWriter) {
        writer.object("requestBody") { writer in
            writer.member("required", !isBodyOptional)
            writer.content("application/json") { $0.reference("#/components/schemas/\(schema)") }
        }
    }

    private func write(_ answer: ContractAnswer, into writer: inout JSONWriter) {
        writer.object("\(answer.status.code)") { writer in
            writer.member("description", answer.summary)
            writer.fields(answer.fields)
            switch answer.content {
            case .nothing: break
            case .json(let schema):
                writer.content("application/json") { $0.reference("#/components/schemas/\(schema)") }
            case .state: writer.content("State", reducedTo: "ReducedState")
            case .opening: writer.content("Opened", reducedTo: "ReducedOpened")
            case .text(let schema):
                writer.object("content") { writer in
                    writer.media("text/plain") { $0.text() }
                    writer.media("application/json") { $0.reference("#/components/schemas/\(schema)") }
                }
            case .events:
                writer.content("text/event-stream") { $0.text("server-sent events; each is a StreamEvent") }
            case .page: writer.content("text/html") { $0.text() }
            case .plain: writer.content("text/plain") { $0.text() }
            }
            if answer.isState, method == .post { writeLinks(into: &writer) }
        }
    }

    private func writeLinks(into writer: inout JSONWriter) {
        writer.object("links") { writer in
            for target in Self.all where target.parameters.contains(.session) {
                writer.object(target.name) { writer in
                    writer.member("operationId", target.name)
                    writer.object("parameters") { writer in
                        writer.member("id", "$response.body#/session")
                        if target.parameters.contains(.revision) {
                            writer.member("revision", "$response.body#/revision")
                        }
                    }
                }
            }
        }
    }

    private func writeSecurity(into writer: inout JSONWriter) {
        writer.objects("security", of: key.schemes) { writer, scheme in
            if let scheme { writer.member(scheme.rawValue, [String]()) }
        }
    }
}

extension ContractScheme {
    func write(into writer: inout JSONWriter) {
        switch self {
        case .session:
            writeBearer("The session's token, from the response that opened the session.", into: &writer)
        case .backend:
            writeBearer("The key of the apps' backend (--backend-key).", into: &writer)
        case .operator:
            writeBearer(
                "The operator's token. A browser that is logged in sends a cookie instead.", into: &writer)
        case .sessionCookie:
            writer.member("type", "apiKey")
            writer.member("in", "cookie")
            writer.member("name", "usher-session")
            writer.member(
                "description", "The session's token, for browsers. Changes also need an allowed Origin.")
        }
    }

    private func writeBearer(_ description: String, into writer: inout JSONWriter) {
        writer.member("type", "http")
        writer.member("scheme", "bearer")
        writer.member("description", description)
    }
}

extension ContractParameter {
    func write(into writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("in", place.rawValue)
        writer.member("description", summary)
        if place == .path || isRequired { writer.member("required", true) }
        writer.member("schema", raw: Array(schema.utf8))
    }
}

extension ContractRefusal {
    /// The refusal's name among the document's components, such as `422-invalid-options-refused`.
    var component: String {
        ([String(status.code)] + kinds.map(\.rawValue) + (isBlank ? ["blank"] : [])).joined(separator: "-")
    }

    func write(into writer: inout JSONWriter) {
        let reasons = kinds.map { "`\($0.rawValue)`: \($0.summary)" }
        let blank = isBlank ? ["`about:blank`: \(status.reason)"] : []
        writer.member("description", (reasons + blank).joined(separator: "; "))
        writer.fields(fields)
        writer.object("content") { writer in
            writer.media("application/problem+json") { $0.reference("#/components/schemas/Problem") }
            if isBlank, Self.ofBrokenMessage.contains(status) { writer.media("text/html") { $0.text() } }
        }
        // An extension instead of a schema per response, so that generated clients have one type for all problems.
        writer.member(Self.typesMember, types)
    }

    /// The member of a response that lists its problem types.
    package static let typesMember = "x-problem-types"

    /// The `type` of each problem.
    package var types: [String] { kinds.map(\.type) + (isBlank ? ["about:blank"] : []) }

    private var fields: [ContractField] {
        switch status {
        case .unauthorized: [.challenge]
        case .methodNotAllowed: [.allow]
        case .conflict, .preconditionFailed: [.entityTag]
        case .tooManyRequests, .serviceUnavailable, .gatewayTimeout: [.retryAfter]
        default: []
        }
    }
}

extension JSONWriter {
    fileprivate mutating func content(_ type: String, _ schema: (inout JSONWriter) -> Void) {
        object("content") { $0.media(type, schema) }
    }

    /// Writes the member `content` of a state, with the whole and the reduced form.
    fileprivate mutating func content(_ whole: String, reducedTo reduced: String) {
        object("content") { writer in
            writer.media("application/json") { $0.reference("#/components/schemas/\(whole)") }
            writer.media("application/json; profile=changes") { $0.reference("#/components/schemas/\(reduced)") }
        }
    }

    fileprivate mutating func text(_ description: String? = nil) {
        object { writer in
            writer.member("type", "string")
            if let description { writer.member("description", description) }
        }
    }

    fileprivate mutating func media(_ type: String, _ schema: (inout JSONWriter) -> Void) {
        object(type) { writer in
            writer.key("schema")
            schema(&writer)
        }
    }

    /// Writes the member `headers`, unless there are no fields.
    fileprivate mutating func fields(_ fields: [ContractField]) {
        guard !fields.isEmpty else { return }
        object("headers") { writer in
            for field in fields {
                writer.object(field.rawValue) { writer in
                    writer.member("description", field.summary)
                    writer.object("schema") { $0.member("type", "string") }
                }
            }
        }
    }
}
