/// Somebody who can sign in.
public struct Account: Codable, Equatable, Sendable {
    /// The user's number.
    public let id: Int
    /// What the user is called.
    public let name: String
    /// The ids of the workspaces that the user is a member of.
    public let workspaces: [Int]

    /// Makes an account.
    ///
    /// - Parameters:
    ///   - id: The user's number.
    ///   - name: What the user is called.
    ///   - workspaces: The ids of the workspaces that the user is a member of.
    public init(id: Int, name: String, workspaces: [Int] = []) {
        self.id = id
        self.name = name
        self.workspaces = workspaces
    }
}
