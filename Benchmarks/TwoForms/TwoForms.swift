import Usher
import UsherServer

/// One app in two forms, for `script/bench uikit`: written for `Coordinator<Output>`, and as iOS teams write it.
///
///     TwoForms serve …
///     TwoForms trees APP COUNT [INPUT…] '|' INPUT…
///
/// The second handles inputs on a tree without sessions and HTTP: those before the bar once, those behind it in turn, COUNT
/// times. It prints `measured nanoseconds=…` of one.
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
