package import Usher
import UsherContract

/// `usher types`: prints an app's screens and events in a client's language.
package struct TypesCommand: Equatable, Sendable {
    private let app: String
    private let language: ClientLanguage

    static let help = CommandHelp(
        "types", "print an app's screens and events as types for clients",
        synopses: ["APP --as \(TypesOptions.languages)"],
        description: [
            "Types in Swift are for the client in Clients/Swift. Types in TypeScript are for any client in JavaScript or "
                + "TypeScript."
        ], options: TypesOptions.all)

    init(_ words: CommandWords) throws(UsageError) {
        var settings = TypesOptions()
        let reading = try TypesOptions.all.read(words, into: &settings)
        guard let app = reading.operands.first, reading.operands.count == 1, let language = settings.language else {
            throw UsageError(
                "\"types\" takes an app and a language, as in \"usher types hello-bye --as \(TypesOptions.languages)\"")
        }
        self.app = app
        self.language = language
    }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - apps: The apps of this executable.
    ///   - write: Called with the types.
    ///   - report: Called with a diagnostic line.
    /// - Throws: `CommandFailure` if there is no such app; `JSONError` if the app's options do not encode.
    package func run(apps: [any App.Type], write: (String) -> Void, report: (String) -> Void = { _ in }) throws {
        guard let type = apps.first(where: { $0.name == app }) else {
            let known = apps.map { $0.name }.sorted().joined(separator: ", ")
            throw CommandFailure("there is no app \"\(app)\" in this executable; its apps are \(known)")
        }
        write(try language.types(of: type))
        guard type.screens.isEmpty else { return }
        report("\(app) lists no screens, so there are no types to print; list them in `App.screens`")
    }
}

private struct TypesOptions: Sendable {
    private(set) var language: ClientLanguage?

    static let languages = ClientLanguage.allCases.map(\.rawValue).joined(separator: "|")

    static let all = CommandOptions<TypesOptions>(
        [
            CommandOption(
                "as", languages, "the client's language (required)", sets: \.language,
                CommandOption<TypesOptions>.word(.swift, .typescript))
        ])
}
