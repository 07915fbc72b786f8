/// Somebody who can sign in.
struct Account {
    let name: String
    /// The ids of the workspaces that he is a member of.
    let workspaces: [Int]
}
