import Programs
import Testing
import UsherAuthoring

@Suite("The places of type declarations in an app")
struct DeclaredTypesTests {
    @Test func `the types that a message names are listed once and in order, with file and line`() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Array("import UIKit\n\nfinal class Profile {\n    struct Row {}\n}\n".utf8), to: "Profile.swift")
        try folder.write(Array("extension Profile {}\nactor Settings {}\n".utf8), to: "Settings.swift")
        let types = DeclaredTypes(in: try SourceFiles(folder("")))
        let places = types.places(
            namedIn: "Settings (of Profile) is held by Profile.children[0], and not by Rower or Row")
        let files = places.compactMap { $0.split(separator: "/").last.map(String.init) }
        #expect(files == ["Settings.swift:2", "Profile.swift:3", "Profile.swift:4"])
        #expect(types.places(namedIn: "nothing is wrong").isEmpty)
    }
}
