/// The places at which the files of an app declare its types, for sentences that name these.
package struct DeclaredTypes: Sendable {
    private let places: [String: String]

    /// Finds the classes, structs, actors and protocols of some files; of two of one name the first file's counts.
    package init(in files: SourceFiles) {
        var places: [String: String] = [:]
        for (path, source) in files.sources.sorted(by: { $0.key < $1.key }) {
            for type in ClassOutline.all(in: source) where type.isDeclaration && places[type.name] == nil {
                places[type.name] = "\(path):\(type.line)"
            }
        }
        self.places = places
    }

    /// The places of the types that a sentence names, in its order and each once, such as `Profile.swift:7`.
    package func places(namedIn sentence: String) -> [String] {
        let words = sentence.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        var found: [String] = []
        for place in words.compactMap({ places[String($0)] }) where !found.contains(place) { found.append(place) }
        return found
    }
}
