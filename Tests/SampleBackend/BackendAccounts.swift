import LocalhostClient
package import SampleAccounts
import Usher
import UsherJSON

/// The accounts of a `Backend`, used over HTTP.
///
/// With them, tests give a sample accounts that are slow or fail.
package struct BackendAccounts: AccountDirectory {
    private let port: Int

    /// Creates the accounts of the backend on a port of this machine.
    package init(port: Int) {
        self.port = port
    }

    /// Asks the backend for the account of a user.
    package func signIn(with credentials: Credentials, key: String) async throws -> Account {
        let answer = try await ask(credentials, key)
        switch answer.status {
        case 200:
            guard let account = Account(answer: answer.body) else { throw Self.unavailable }
            return account
        case 401: throw credentials.refusal
        default: throw Self.unavailable
        }
    }

    private func ask(_ credentials: Credentials, _ key: String) async throws(EffectFailure) -> RawResponse {
        do {
            return try await BlockingThreads.run {
                try LocalhostClient(port: port).request(
                    "POST", "/sign-in", headers: [("Idempotency-Key", key)], body: credentials.json)
            }
        } catch {
            throw Self.unavailable
        }
    }

    private static let unavailable = EffectFailure(
        code: "unavailable", message: "signing in is not possible at the moment; try again later")
}

extension Credentials {
    fileprivate var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        switch self {
        case .password(let name, let password):
            for (key, value) in [("name", name), ("password", password)] {
                writer.key(key)
                writer.string(value)
            }
        case .token(let token):
            writer.key("token")
            writer.string(token)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Account {
    /// Parses the backend's response; nil if it names no user.
    fileprivate init?(answer: [UInt8]) {
        guard let user = try? JSONDocument(parsing: answer).root[member: "user"],
            let id = user[member: "id"]?.integer, let name = user[member: "name"]?.string
        else { return nil }
        self.init(id: id, name: name, workspaces: user[member: "workspaces"]?.elements.compactMap(\.integer) ?? [])
    }
}
