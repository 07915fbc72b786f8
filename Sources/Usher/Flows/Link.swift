import UsherJSON

/// A deep link: flows from the root down, each in Swift's coding of an enum case.
struct Link {
    let steps: [JSONValue]
    /// Those of the input that brought it, which the steps hold.
    let secrets: InputSecrets
}
