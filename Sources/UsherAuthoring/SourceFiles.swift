import UsherProcess

/// The Swift files below a path, read.
package struct SourceFiles: Sendable {
    /// Files that cannot be checked: one sentence.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// By their paths.
    package let sources: [String: SwiftSource]

    /// Reads a file, or all Swift files below a folder.
    ///
    /// - Throws: `FileTree.ReadError`; `Failure` where there is no such file, or one is no Swift.
    package init(_ path: String) throws {
        let files = try SourceFolder.read(path, suffix: ".swift")
        guard !files.isEmpty else { throw Failure(description: "there is no Swift file in \(path)") }
        var sources: [String: SwiftSource] = [:]
        for (path, bytes) in files {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw Failure(description: "\(path) is no text in UTF-8")
            }
            do throws(SwiftSourceError) { sources[path] = try SwiftSource(bytes) } catch {
                throw Failure(description: "\(path):\(error.line): \(error.description)")
            }
        }
        self.sources = sources
    }

    /// A line for each use of what is the process's, such as `Login.swift:7:21: Date() is …`, in the order of files.
    package var globalUses: [String] {
        let app = AppDeclarations(in: Array(sources.values))
        return sources.sorted { $0.key < $1.key }.flatMap { path, source in
            GlobalUseSearch(source, of: app).uses().map { use in
                "\(path):\(use.line):\(use.column): \(use.name) \(use.remedy)"
            }
        }
    }
}

/// The declarations of an app by which its globals are known.
package struct AppDeclarations: Sendable {
    private var stateful: Set<String> = []
    private var methods: Set<String> = []

    /// Finds the classes, actors and methods of some files.
    package init(in sources: [SwiftSource]) {
        for outline in sources.flatMap({ ClassOutline.all(in: $0) }) {
            methods.formUnion(outline.methods.map(\.name))
            guard outline.kind == "class" || outline.kind == "actor" else { continue }
            // The compiler sees that a class which is `Sendable`, and not `@unchecked`, has no state to change.
            let isConstant = outline.supertypes.contains("Sendable") && !outline.supertypes.contains("unchecked")
            if !isConstant { stateful.insert(outline.name) }
        }
    }

    /// True for a class or an actor whose objects have state.
    func hasState(_ type: String) -> Bool { stateful.contains(type) }

    /// True where one of the app's own types has a method of that name.
    func declaresMethod(_ name: String) -> Bool { methods.contains(name) }
}

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
