/// What somebody shows to sign in.
public enum Credentials: Sendable {
    /// The name and the password of an account.
    case password(name: String, password: String)
    /// What another service has given to its user.
    case token(String)
}
