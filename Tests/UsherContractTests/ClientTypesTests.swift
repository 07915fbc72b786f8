import Programs
import Sooda
import Testing
import Tudy
import Usher
import UsherContract

/// Tests that the output of `usher types` can be compiled by the languages' compilers.
@Suite("The client's types for an app", .timeLimit(.minutes(5)))
struct ClientTypesTests {
    @Test func `the generated Swift types compile against the client and register their screens`() throws {
        let folder = try TemporaryFolder()
        let client = try Program.run([
            "bash", "-c",
            """
            swiftc -emit-module -swift-version 6 -module-name UsherClient -emit-module-path "$1/UsherClient.swiftmodule" \
            -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature NonisolatedNonsendingByDefault \
            $(find Clients/Swift/Sources/UsherClient -name '*.swift')
            """,
            "bash", folder.path,
        ])
        try #require(client.status == 0, "\(client.error)")
        let uses: [(any App.Type, String)] = [(TudyApp.self, Self.tudy), (SoodaApp.self, ""), (OddApp.self, Self.odd)]
        for (app, use) in uses {
            let source = try ClientLanguage.swift.types(of: app)
            let types = try folder.write(source, to: "Types.swift")
            let user = try folder.write("import UsherClient\n" + use, to: "Use.swift")
            let end = try Program.run([
                "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-I",
                folder.path, types, user,
            ])
            #expect(end.status == 0, "\(end.error)\n\(source)")
        }
    }

    @Test func `the generated TypeScript types compile, and code with a wrong payload does not compile`() throws {
        let folder = try TemporaryFolder()
        let uses: [(any App.Type, String)] = [
            (TudyApp.self, Self.tudyInTypeScript), (SoodaApp.self, ""), (OddApp.self, ""),
        ]
        for (app, use) in uses {
            let source = try ClientLanguage.typescript.types(of: app)
            let types = try folder.write(source, to: "types.ts")
            let user = try folder.write("import type { AppScreen, Screens } from \"./types\";\n" + use, to: "use.ts")
            let end = try Program.run(["tsc", "--strict", "--noEmit", types, user])
            #expect(end.status == 0, "\(end.output)\n\(source)")
        }
    }

    private static let tudy = """
        @MainActor func registry() -> ScreenRegistry<any ScreenState> {
            var screens = ScreenRegistry<any ScreenState>()
            screens.register(Tudy.LoginScreen.self)
            screens.register(Tudy.ChatListScreen.self)
            return screens
        }

        func event() throws -> JSON { try JSON(encoding: Tudy.LoginScreen.Event.login(name: "kim", password: "usher")) }
        """

    private static let odd = """
        func event() -> [Odd.OddScreen.Event] {
            [.default, .numbered(1), .nested(.init(in: [:], parent: nil), mood: .sad), .term(.sum(.one, .number(2)))]
        }

        let tree = Odd.Tree.branch(.init(left: .leaf, right: nil))
        func event(of screen: Odd.OddScreen) -> [Odd.EventValue] { screen.events }
        func maybe(_ event: Odd.EventValue?) -> Odd.OddScreen.Event { .maybe(event) }
        """

    private static let tudyInTypeScript = """
        export const login: Screens["login"]["events"]["login"] = { name: "kim", password: "usher" };
        // @ts-expect-error the password is missing
        export const half: Screens["login"]["events"]["login"] = { name: "kim" };
        export const title = (screen: AppScreen) => (screen.screen === "login" ? screen.state.failure : undefined);
        """
}

/// An app with names and types at the limits of the languages.
private enum OddApp: App {
    static var screens: [any Screen.Type] { [OddScreen.self, SilentScreen.self] }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { OddCoordinator() }
}

private final class OddCoordinator: Coordinator<Never> {}

private struct SilentScreen: Screen {
    static let name = "silent-screen 2"
}

private struct OddScreen: Screen, Decodable {
    enum Event: Codable, Sendable {
        case `default`
        case numbered(Int)
        case nested(Leaf, mood: Mood)
        case term(Term)
        case tree(Tree)
        case event(OddNames.Event)
        case maybe(OddNames.Event?)
    }

    static let examples: [Event] = [.default]

    let id: UInt8
    let `class`: String
    let leaves: [String: [Leaf]]
    let levels: [Level?]
    let span: Duration
    let when: Int64?
    let events: [OddNames.Event]
    let json: OddNames.JSON
    let record: OddNames.Record
    let odd: OddNames.Odd

    private enum CodingKeys: String, CodingKey {
        case id, `class` = "the-class", leaves, levels, span, when, events, json, record, odd
    }
}

/// Names with another meaning in the clients' languages.
private enum OddNames {
    struct Event: Codable, Sendable { let day: Int }
    struct JSON: Codable, Sendable { let text: String }
    struct Record: Codable, Sendable { let track: Int }
    struct Odd: Codable, Sendable { let isOdd: Bool }
}

/// An enum that contains itself in a struct.
private indirect enum Tree: Codable, Sendable {
    case leaf
    case branch(Branch)
}

private struct Branch: Codable, Sendable {
    let left: Tree
    let right: Tree?
}

private struct Leaf: Codable, Sendable {
    var `in`: [String: Double]
    var parent: [Leaf]?
}

private enum Mood: String, Codable, Sendable { case happy = "very happy", sad }
private enum Level: Int, Codable, Sendable { case low = -1, high = 1 }

private indirect enum Term: Codable, Sendable {
    case one
    case sum(Term, Term)
    case number(Int)
}
