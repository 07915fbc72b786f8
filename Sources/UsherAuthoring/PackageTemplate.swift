import UsherBytes

/// A new package: an app, its server and its test, and the files that build and run the server for operators.
package struct PackageTemplate: Sendable {
    /// An error for a name that no package can have; the description is one sentence.
    package struct NameError: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The location of Usher's own package: a folder, or a URL with a version.
    package enum PackageLocation: Equatable, Sendable {
        case folder(String)
        case url(String, version: String)
    }

    /// The folder, named as the user wrote it.
    package let folder: String
    /// The name that types begin with.
    package let name: String
    let usher: PackageLocation
    private let isOnUIKit: Bool

    /// Creates a template of a package that depends on Usher; if `isOnUIKit` is true, its coordinators use UIKit.
    package init(named name: String, usher: PackageLocation, isOnUIKit: Bool) throws(NameError) {
        guard let first = name.first, first.isASCII, first.isLetter, name.utf8.count <= 64,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else {
            throw NameError(
                description:
                    "\"\(name)\" cannot be a package's name: use letters and digits, beginning with a letter, such as Shop"
            )
        }
        let capitalized = first.uppercased() + name.dropFirst()
        guard !Self.modules.contains(capitalized), !Self.types.contains(capitalized) else {
            throw NameError(
                description: """
                    "\(name)" is already the name of a module or type that the package uses; choose another, such as \
                    My\(capitalized)
                    """)
        }
        folder = name
        self.name = capitalized
        self.usher = usher
        self.isOnUIKit = isOnUIKit
    }

    /// The modules that a package on Usher may be built with: Usher's own and the toolchain's.
    ///
    /// All of Usher's own modules are listed, because module names must differ across all dependencies of a package.
    private static let modules: Set<String> = [
        "AuthenticationServices", "CBytes", "CCrypto", "CJemalloc", "CMicroHTTPD", "CPostgres", "CProcess", "CSQLite",
        "CZlib", "Combine", "Dispatch", "Foundation", "Glibc", "HelloBye", "LocalAuthentication", "MessageUI",
        "MicroHTTPD", "Notes", "OSLog", "PhotosUI", "SafariServices", "SampleAccounts", "SampleApps", "Sooda",
        "StartLoginMain", "StoreKit", "Swift", "SwiftUI", "Synchronization", "Testing", "Tudy", "UIKit",
        "UniformTypeIdentifiers", "UserNotifications", "Usher", "UsherAuthoring", "UsherBytes", "UsherCommand",
        "UsherCompression", "UsherContract", "UsherExploration", "UsherFuture", "UsherHTTP", "UsherJSON",
        "UsherJournal", "UsherMetrics", "UsherPostgres", "UsherPostgresCommand", "UsherProcess", "UsherReflection",
        "UsherSQLite", "UsherSchema", "UsherSelectors", "UsherSelectorsTool", "UsherServer", "UsherSessions",
        "UsherSupervisor", "UsherTesting", "UsherUIKit", "XCTest",
    ]

    /// Keywords, and types of the templates, with which the name would collide.
    private static let types: Set<String> = [
        "Any", "App", "Coordinator", "Detail", "Home", "Protocol", "Screen", "Self", "Type",
    ]

    /// The files by their paths below the folder.
    package var files: [String: String] {
        var files = [
            "Package.swift": manifest, ".gitignore": ".build/\n",
            "Sources/\(name)/\(name)Server.swift": isOnUIKit ? uiKitServer : server,
            "Tests/\(name)Tests/\(name)Tests.swift": isOnUIKit ? uiKitTests : tests,
        ]
        if isOnUIKit {
            files["Sources/\(name)/Coordinators.swift"] = uiKitCoordinators
            files["Sources/\(name)/Globals.swift"] = uiKitNames
            files["Sources/\(name)/ViewControllers.swift"] = uiKitControllers
            files["Sources/\(name)/Screens.swift"] = uiKitScreens
        } else {
            files["Sources/\(name)/Coordinators.swift"] = coordinators
            files["Sources/\(name)/Screens.swift"] = screens
        }
        return files.merging(deploymentFiles) { text, _ in text }
    }

    private var manifest: String {
        let products = ["Usher", "UsherServer"].map { ".product(name: \"\($0)\", package: \"usher\")," }
        let uiKit = #".product(name: "UsherUIKit", package: "usher", condition: .when(platforms: [.linux])),"#
        let all = products + (isOnUIKit ? [uiKit] : [])
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name)",
                dependencies: [
                    \(dependency)
                ],
                targets: [
                    .executableTarget(
                        name: "\(name)",
                        dependencies: [
                            \(all.joined(separator: "\n                "))
                        ]),
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: ["\(name)", .product(name: "UsherTesting", package: "usher")]),
                ]
            )

            """
    }

    private var dependency: String {
        switch usher {
        case .folder(let path): ".package(name: \"usher\", path: \(path.swiftLiteral))"
        case .url(let url, let version): ".package(url: \(url.swiftLiteral), from: \(version.swiftLiteral))"
        }
    }
}

extension PackageTemplate {
    private var server: String {
        """
        import Usher
        import UsherServer

        /// The server: `swift run \(name) serve`.
        @main
        enum \(name)Server: ServerProgram {
            static var apps: [any App.Type] { [\(name)App.self] }
        }

        /// The app that `POST /sessions` opens.
        enum \(name)App: App {
            static var screens: [any Screen.Type] { [HomeScreen.self, DetailScreen.self] }

            static func root(_ options: NoOptions) -> sending AnyCoordinator { HomeCoordinator() }
        }

        """
    }

    private var screens: String {
        """
        import Usher

        /// The first screen: its stored properties are what clients see.
        struct HomeScreen: Screen {
            var visits = 0

            enum Event: Codable, CaseIterable { case open }
        }

        /// The screen of one thing.
        struct DetailScreen: Screen {
            let number: Int

            enum Event: Codable, CaseIterable { case done }
        }

        """
    }

    private var coordinators: String {
        """
        import Usher

        /// Shows the first screen, and counts what was looked at.
        final class HomeCoordinator: Coordinator<Never> {
            private var home = Handle<HomeScreen>()

            override func start() {
                home = push(HomeScreen()) { me, event in
                    switch event {
                    case .open: me.open()
                    }
                }
            }

            private func open() {
                let number = (home.screen?.visits ?? 0) + 1
                start(DetailCoordinator(number: number)) { me, outcome in
                    // The outcome is `.cancelled` if the user went back.
                    if case .finished = outcome { me.home.update { $0.visits = number } }
                }
            }
        }

        /// Shows one thing, until the user is done with it.
        final class DetailCoordinator: Coordinator<Void> {
            private let number: Int

            init(number: Int) {
                self.number = number
            }

            override func start() {
                push(DetailScreen(number: number)) { me, event in
                    switch event {
                    case .done: me.finish()
                    }
                }
            }
        }

        """
    }

    private var tests: String {
        """
        import Testing
        import Usher
        import UsherTesting

        @testable import \(name)

        @Test func countsWhatWasLookedAt() throws {
            let app = try AppUnderTest(\(name)App.self)
            app.send("open")
            app.expectStack("n[home, detail]")
            app.back()
            app.expectVisible(HomeScreen(visits: 0))
            app.send("open")
            app.send("done")
            app.expectVisible(HomeScreen(visits: 1))
            app.expectTree("Home")
        }

        """
    }
}
