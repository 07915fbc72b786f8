import Foundation
import FoundationNetworking
import Usher

/// A user with an account.
struct User: Codable, Equatable, Sendable {
    let id: Int
    let name: String
}

/// The proof of a user's identity.
enum Credentials: Sendable {
    /// The name and the password of an account.
    case password(name: String, password: Secret<String>)
    /// The token that another service has issued to its user.
    case token(Secret<String>)
}

/// The accounts of a backend, which signs users in by `POST /sign-in`.
///
/// The request is `{"name":…,"password":…}` or `{"token":…}`, with the attempt's id as `Idempotency-Key`. The response
/// is 200 with `{"user":{"id":1,"name":"Kim"}}`, whose other members are ignored, or 401.
struct Accounts: Sendable {
    private let url: URL
    private let limits: HTTPExchange.Limits

    /// Creates a client of a backend.
    ///
    /// - Parameters:
    ///   - backend: The backend's URL, such as `http://127.0.0.1:8081`.
    ///   - limits: The limits of a response.
    /// - Throws: `BackendError` unless the text is a URL with http or https.
    init(backend: String, limits: HTTPExchange.Limits = HTTPExchange.Limits()) throws {
        guard let url = URL(string: backend), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
        else { throw BackendError(given: backend) }
        self.url = url.appending(path: "sign-in")
        self.limits = limits
    }

    /// Returns the user with some credentials.
    ///
    /// - Throws: `EffectFailure` for the user: what was wrong, and whether to try again.
    func signIn(with credentials: Credentials, key: String) async throws -> User {
        let answer = try await send(credentials, key: key)
        switch answer.status {
        case 200:
            guard let answer = try? JSONDecoder().decode(Answer.self, from: answer.body) else {
                throw EffectFailure.unavailable
            }
            return answer.user
        case 401: throw EffectFailure.refused(credentials)
        default: throw EffectFailure.unavailable
        }
    }

    private func send(_ credentials: Credentials, key: String) async throws -> HTTPExchange.Answer {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = try JSONEncoder().encode(credentials.members)
        do {
            return try await HTTPExchange.send(request, within: limits)
        } catch let error as CancellationError {
            throw error
        } catch HTTPExchange.Failure.timedOut {
            throw EffectFailure.timedOut
        } catch {
            throw EffectFailure.unavailable
        }
    }

    private struct Answer: Decodable {
        let user: User
    }
}

/// The error if the environment names no valid backend, as one sentence for the operator.
struct BackendError: Error, Equatable, CustomStringConvertible {
    let given: String

    var description: String {
        "ACCOUNTS_BACKEND takes the backend's URL, such as http://127.0.0.1:8081, not \"\(given)\""
    }
}

extension Credentials {
    /// The members of the request's body.
    fileprivate var members: [String: String] {
        get throws {
            switch self {
            case .password(let name, let password): ["name": name, "password": try password.reveal()]
            case .token(let token): ["token": try token.reveal()]
            }
        }
    }
}

extension EffectFailure {
    fileprivate static let timedOut = EffectFailure(
        code: "timedOut", message: "signing in takes too long at the moment; try again")
    fileprivate static let unavailable = EffectFailure(
        code: "unavailable", message: "signing in is not possible at the moment; try again later")

    fileprivate static func refused(_ credentials: Credentials) -> EffectFailure {
        switch credentials {
        case .password: EffectFailure(code: "wrongPassword", message: "the name or the password is wrong")
        case .token: EffectFailure(code: "unknownToken", message: "no user has this token")
        }
    }
}
