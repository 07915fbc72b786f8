public import CurlClient
private import Usher
private import UsherJSON

/// Accounts that a backend keeps: asked by `POST /sign-in`.
///
/// The request is `{"name":…,"password":…}` or `{"token":…}`, with the attempt's name as `Idempotency-Key`. The answer
/// is 200 with `{"user":{"id":1,"name":"Kim","workspaces":[7]}}`, further members being ignored, or 401.
public struct HTTPAccounts: AccountDirectory {
    private let client: CurlClient
    private let url: String

    /// The accounts of a backend.
    ///
    /// - Parameters:
    ///   - base: Its URL, such as `http://127.0.0.1:8081`.
    ///   - client: What asks it.
    /// - Throws: When the URL is none.
    public init(base: String, client: CurlClient = CurlClient()) throws(CurlError) {
        try CurlClient.check(url: base)
        url = base + (base.hasSuffix("/") ? "sign-in" : "/sign-in")
        self.client = client
    }

    /// Asks the backend who somebody is.
    public func signIn(with credentials: Credentials, key: String) async throws -> Account {
        let answer = try await send(credentials.json, key: key)
        switch answer.status {
        case 200:
            guard let account = Account(answer: answer.body) else { throw EffectFailure.unavailable }
            return account
        case 401: throw EffectFailure.refused(credentials)
        default: throw EffectFailure.unavailable
        }
    }

    private func send(_ body: [UInt8], key: String) async throws -> (status: Int, body: [UInt8]) {
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)]
        do {
            return try await client.send("POST", url, headers: headers, body: body)
        } catch .cancelled {
            throw CancellationError()
        } catch .timedOut {
            throw EffectFailure.timedOut
        } catch {
            throw EffectFailure.unavailable
        }
    }
}

extension EffectFailure {
    fileprivate static let timedOut = EffectFailure(
        code: "timedOut", message: "signing in takes too long at the moment; try again")
    fileprivate static let unavailable = EffectFailure(
        code: "unavailable", message: "signing in is not possible at the moment; try again later")
}

extension Credentials {
    fileprivate var json: [UInt8] {
        let members =
            switch self {
            case .password(let name, let password): [("name", name), ("password", password)]
            case .token(let token): [("token", token)]
            }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in members {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension Account {
    /// Reads the backend's answer; nil when it names no user.
    fileprivate init?(answer: [UInt8]) {
        guard let user = try? JSONDocument(parsing: answer).root[member: "user"],
            let id = user[member: "id"]?.integer, let name = user[member: "name"]?.string
        else { return nil }
        self.init(id: id, name: name, workspaces: user[member: "workspaces"]?.elements.compactMap(\.integer) ?? [])
    }
}
