import Usher
import UsherServer

/// One app in two forms, for `script/bench uikit`: written for `Coordinator<Output>`, and as iOS teams write apps.
///
///     TwoForms serve …
///     TwoForms trees APP COUNT [INPUT…] '|' INPUT…
///
/// The second command handles inputs with a tree alone: the inputs before the bar once, and then the inputs after the
/// bar in turn, COUNT times. It prints `measured nanoseconds=…` for one input.
@main
enum TwoForms {
    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == "trees" else { return await ParcelServer.main() }
        try TreeLoad(Array(arguments.dropFirst())).run()
    }
}

/// The server of both forms.
enum ParcelServer: ServerProgram {
    static var apps: [any App.Type] { [EngineParcelsApp.self, UIKitParcelsApp.self] }
}
