/// A type's name as it is written in source, and the wire names that are made from it.
struct TypeName {
    private let name: Substring

    init(_ type: Any.Type) {
        // A generic type's arguments are no part of its name.
        name = Substring(String(describing: type).prefix { $0 != "<" })
    }

    /// `LoginCoordinator` without `Coordinator` is `login`, `DMListScreen` without `Screen` is `dmList`.
    func lowerCamelCased(without suffix: String) -> String {
        let stem = stem(without: suffix)
        let capitals = stem.prefix(while: \.isUppercase)
        let rest = stem.dropFirst(capitals.count)
        // In `DMList` the last capital begins the next word; in `DM` there is no next word.
        let kept = capitals.count > 1 && rest.first?.isLetter == true ? 1 : 0
        return capitals.dropLast(kept).lowercased() + capitals.suffix(kept) + rest
    }

    /// `HelloByeApp` without `App` is `hello-bye`.
    func hyphenated(without suffix: String) -> String {
        lowerCamelCased(without: suffix).reduce(into: "") { result, letter in
            if letter.isUppercase { result += "-" }
            result += letter.lowercased()
        }
    }

    private func stem(without suffix: String) -> Substring {
        name.hasSuffix(suffix) && name.count > suffix.count ? name.dropLast(suffix.count) : name
    }
}
