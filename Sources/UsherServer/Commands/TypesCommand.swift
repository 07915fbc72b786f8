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
            "Swift's types are for the client in Clients/Swift, TypeScript's for any client in JavaScript or TypeScript."
        ], options: TypesOptions.all)

    /// Reads the words behind `usher types`.
    ///
    /// - Throws: `UsageError`.
    init(_ words: CommandWords) throws(UsageError) {
        var settings = TypesOptions()
        let reading = try TypesOptions.all.read(words, into: &settings)
        guard let app = reading.operands.first, reading.operands.count == 1, let language = settings.language else {
            throw UsageError("types takes an app and a language: usher types hello-bye --as \(TypesOptions.languages)")
        }
        self.app = app
        self.language = language
    }

    /// Does what the command is for.
    ///
    /// - Parameters:
    ///   - apps: The apps of this executable.
    ///   - write: Takes the text.
    ///   - report: Takes a line that is told beside it.
    /// - Throws: `CommandFailure` for an app that there is not; `JSONError` when its options do not encode.
    package func run(apps: [any App.Type], write: (String) -> Void, report: (String) -> Void = { _ in }) throws {
        guard let type = apps.first(where: { $0.name == app }) else {
            let known = apps.map { $0.name }.sorted().joined(separator: ", ")
            throw CommandFailure("there is no app \"\(app)\" in this executable; there are: \(known)")
        }
        write(try language.types(of: type))
        guard type.screens.isEmpty else { return }
        report("\(app) lists no screens, so there are no types of them; list them in `App.screens`")
    }
}

/// The options of `usher types`.
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
