// swift-tools-version: 6.2
import PackageDescription

/// The apps of the articles: each a target of its own, on the engine alone, or with accounts that users sign in to.
let samples: [Target.Dependency] = ["HelloBye", "Notes", "Sooda", "StartLoginMain", "Tudy"]
let samplesThatSignIn = ["Sooda", "Tudy"]
/// The articles whose coordinators are tests of UIKit, in the form that they have there.
let articles = ["HelloBye", "Notes", "Sooda", "StartLoginMain", "Tudy"]
/// Set in builds for a sanitizer, which has an allocator of its own, so that there must not be another.
let isSanitized = Context.environment["USHER_SANITIZED"] != nil
let movedClocks: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "--wrap=clock_gettime"])]

let package = Package(
    name: "usher",
    products: [
        .library(name: "Usher", targets: ["Usher"]),
        .library(name: "UsherServer", targets: ["UsherServer"]),
        .library(name: "UsherTesting", targets: ["UsherTesting"]),
        .library(name: "UsherPostgres", targets: ["UsherPostgres"]),
        .library(
            name: "UsherUIKit",
            targets: [
                "AuthenticationServices", "Combine", "LocalAuthentication", "MessageUI", "OSLog", "PhotosUI",
                "SafariServices", "StoreKit", "SwiftUI", "UIKit", "UniformTypeIdentifiers", "UserNotifications", "os",
            ]),
        .plugin(name: "UsherSelectors", targets: ["UsherSelectors"]),
        .executable(name: "usher", targets: ["UsherCommand"]),
        .executable(name: "usher-postgres", targets: ["UsherPostgresCommand"]),
    ],
    targets: [
        // The engine and what it stands on: no input or output.
        .systemLibrary(name: "CBytes"),
        .target(name: "UsherBytes", dependencies: ["CBytes"]),
        .target(name: "UsherJSON", dependencies: ["UsherBytes"]),
        .target(name: "UsherReflection"),
        .target(name: "UsherSchema", dependencies: ["UsherJSON", "UsherReflection"]),
        .target(name: "UsherMetrics"),
        .target(name: "UsherFuture"),
        .target(name: "Usher", dependencies: ["UsherBytes", "UsherJSON", "UsherReflection"]),
        .target(name: "UsherJournal", dependencies: ["UsherBytes", "UsherFuture", "UsherMetrics", "UsherProcess"]),
        .target(
            name: "UsherSessions",
            dependencies: [
                "Usher", "UsherBytes", "UsherFuture", "UsherJSON", "UsherJournal", "UsherMetrics", "UsherProcess",
            ]),

        // Every path through an app, walked by the machine.
        .target(name: "UsherExploration", dependencies: ["Usher", "UsherBytes", "UsherJSON"]),

        // The journal on disk, and the one door to SQLite.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "UsherSQLite", dependencies: ["CSQLite", "UsherBytes", "UsherJournal", "UsherProcess"]),

        // The journal in a database of several servers, and the one door to libpq and to libcrypto: nothing of `usher`
        // depends on it.
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "UsherPostgres",
            dependencies: ["CCrypto", "CPostgres", "UsherBytes", "UsherJournal", "UsherMetrics", "UsherProcess"]),

        // The content coding of the page's files, and the one door to zlib.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "UsherCompression", dependencies: ["CZlib"]),

        // HTTP as values, and the one door to libmicrohttpd.
        .target(name: "UsherHTTP", dependencies: ["UsherBytes", "UsherFuture", "UsherJSON"]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(
            name: "MicroHTTPD", dependencies: ["CMicroHTTPD", "UsherFuture", "UsherHTTP", "UsherProcess"]),

        // The HTTP contract as data, and the documents that are written from it and from apps' types.
        .target(
            name: "UsherContract", dependencies: ["Usher", "UsherBytes", "UsherHTTP", "UsherJSON", "UsherSchema"]),

        // The process around it: signals, the time of day, standard streams. With MicroHTTPD and UsherSQLite, all that
        // imports C; UsherMetrics asks it for a thread's number.
        // With a file in C, for the allocator looks for its settings in a variable of the executable's; without a README, as
        // the other doors to C.
        .target(
            name: "CJemalloc", path: "Sources/CJemalloc", publicHeadersPath: ".",
            linkerSettings: isSanitized ? [] : [.linkedLibrary("jemalloc")]),
        .systemLibrary(name: "CProcess"),
        .target(name: "UsherProcess", dependencies: ["CJemalloc", "CProcess", "UsherBytes"]),

        // The process that keeps the server's listening socket, and starts it again.
        .target(name: "UsherSupervisor", dependencies: ["UsherProcess"]),

        // The services of the samples that sign in.
        .target(name: "SampleAccounts", dependencies: ["Usher"], path: "Sources/Samples/SampleAccounts"),

        // The tools for who writes apps: texts in, texts out, and the files that they stand in.
        .target(name: "UsherAuthoring", dependencies: ["UsherBytes", "UsherProcess"]),

        // Compiles an iOS app's files without Objective-C.
        .executableTarget(name: "UsherSelectorsTool", dependencies: ["UsherAuthoring", "UsherProcess"]),
        .plugin(name: "UsherSelectors", capability: .buildTool(), dependencies: ["UsherSelectorsTool"]),

        // What meets a client: endpoints, the command line, the samples.
        .target(
            name: "UsherServer",
            dependencies: [
                "MicroHTTPD", "Usher", "UsherAuthoring", "UsherBytes", "UsherCompression", "UsherContract",
                "UsherExploration", "UsherFuture", "UsherHTTP", "UsherJSON", "UsherJournal", "UsherMetrics",
                "UsherProcess", "UsherSQLite", "UsherSessions", "UsherSupervisor",
            ]),
        .target(name: "SampleApps", dependencies: samples + ["Usher"], path: "Sources/Samples/SampleApps"),
        .executableTarget(name: "UsherCommand", dependencies: ["SampleApps", "Usher", "UsherServer"]),
        .executableTarget(
            name: "UsherPostgresCommand", dependencies: ["SampleApps", "Usher", "UsherPostgres", "UsherServer"]),

        // What an author's own tests are written with.
        .target(name: "UsherTesting", dependencies: ["Usher", "UsherAuthoring", "UsherJSON"]),

        // UIKit without views, on the engine: its module has Apple's name, so that an app's sources stay as they are.
        .target(name: "UIKit", dependencies: ["Usher", "UsherReflection", "UsherSchema", "_Testing_UIKit"]),
        // The system's controllers, and the notifications, that coordinators import from elsewhere.
        .target(name: "AuthenticationServices", dependencies: ["UIKit", "Usher"]),
        .target(name: "LocalAuthentication", dependencies: ["UIKit"]),
        .target(name: "MessageUI", dependencies: ["UIKit"]),
        .target(name: "PhotosUI", dependencies: ["UIKit"]),
        .target(name: "SafariServices", dependencies: ["UIKit"]),
        .target(name: "StoreKit", dependencies: ["UIKit"]),
        .target(name: "UniformTypeIdentifiers", dependencies: ["UIKit"]),
        .target(name: "UserNotifications", dependencies: ["UIKit"]),
        // The system's log, which nobody writes.
        .target(name: "os"),
        .target(name: "OSLog", dependencies: ["os"]),
        // Publishers of a session, whose time is the session's.
        .target(name: "Combine", dependencies: ["UIKit", "Usher", "UsherReflection"]),
        // Controllers of views that nobody draws.
        .target(name: "SwiftUI", dependencies: ["Combine", "UIKit", "Usher"]),
        // Empty: Swift Testing asks for it in whatever imports UIKit beside it.
        .target(name: "_Testing_UIKit"),
        .testTarget(
            name: "UIKitTests",
            dependencies: articles.map { .byName(name: "\($0)Article") } + [
                "AuthenticationServices", "LocalAuthentication", "MessageUI", "OSLog", "PhotosUI", "Programs",
                "SafariServices", "SelectorApp", "StoreKit", "SwiftFiveApp", "UIKit", "UniformTypeIdentifiers",
                "UserNotifications",
                "Usher", "UsherExploration", "UsherSchema", "UsherTesting", "os",
            ]),
        .testTarget(name: "CombineTests", dependencies: ["Combine", "Programs", "UIKit", "Usher", "UsherTesting"]),
        .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI", "Usher", "UsherTesting"]),
        // An app as teams have it: in language mode 5, with a package's default settings.
        .target(
            name: "SwiftFiveApp", dependencies: ["Combine", "UIKit", "Usher"], path: "Tests/SwiftFiveApp",
            swiftSettings: [.swiftLanguageMode(.v5)]),

        // An app with `#selector` and `@objc`, whose manifest excludes a folder and names the files for Linux.
        .target(
            name: "SelectorApp", dependencies: ["UIKit", "Usher"], path: "Tests/SelectorApp", exclude: ["NotHere"],
            sources: ["Server"], swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["UsherSelectors"]),

        // How tests talk to servers, and run programs.
        .target(name: "LocalhostClient", path: "Tests/LocalhostClient"),
        .target(name: "Programs", path: "Tests/Programs"),
        // The random numbers of tests that mutate their input.
        .target(name: "SeededRandom", path: "Tests/SeededRandom"),
        // A disk of SQLite's that records what is written, and its images after a loss of power.
        .target(
            name: "RecordedDisk", dependencies: ["CSQLite", "Programs", "SeededRandom"], path: "Tests/RecordedDisk"),
        // The clocks of programs that tests set: the system's clock is called through a wrapper in these programs alone, on
        // which no test depends for that reason.
        .target(name: "MovedClocks", path: "Tests/MovedClocks"),
        // A server whose disk is recorded, and whose clocks are set by tests.
        .executableTarget(
            name: "MachineProgram", dependencies: ["MovedClocks", "RecordedDisk", "Tudy", "Usher", "UsherServer"],
            path: "Tests/MachineProgram", linkerSettings: movedClocks),
        // How tests write to a journal, of whichever back-end.
        .target(name: "JournalSubject", dependencies: ["Programs", "UsherJournal"], path: "Tests/JournalSubject"),
        // A database for tests of several servers, and what stands between them.
        .target(name: "PostgresCluster", dependencies: ["Programs", "UsherProcess"], path: "Tests/PostgresCluster"),
        // Several servers as processes, with a database, what may go wrong between them, and HAProxy before them.
        .target(
            name: "ServerCluster",
            dependencies: [
                "LocalhostClient", "MicroHTTPD", "PostgresCluster", "Programs", "UsherHTTP", "UsherPostgres",
            ], path: "Tests/ServerCluster"),
        // The app of these servers: its state shows all that it has handled.
        .executableTarget(
            name: "ClusterProgram",
            dependencies: [
                "LocalhostClient", "MovedClocks", "Usher", "UsherJournal", "UsherPostgres", "UsherProcess",
                "UsherServer",
            ], path: "Tests/ClusterProgram", linkerSettings: movedClocks),
        .testTarget(
            name: "ClusterTests",
            dependencies: [
                "LocalhostClient", "PostgresCluster", "Programs", "SeededRandom", "ServerCluster",
                "UsherJSON",
            ]),
        // The backend that tests start for the samples, and a server of the samples that sign in there.
        .target(
            name: "SampleBackend",
            dependencies: ["LocalhostClient", "MicroHTTPD", "SampleAccounts", "Usher", "UsherHTTP", "UsherJSON"],
            path: "Tests/SampleBackend"),
        .executableTarget(
            name: "SignInProgram",
            dependencies: [
                "SampleAccounts", "SampleBackend", "Sooda", "Tudy", "Usher", "UsherProcess", "UsherServer",
            ], path: "Tests/SignInProgram"),
        .testTarget(
            name: "SampleAccountsTests",
            dependencies: ["SampleAccounts", "SampleBackend", "Sooda", "Tudy", "Usher", "UsherTesting"]),
        .testTarget(
            name: "UsherAuthoringTests", dependencies: ["Programs", "SwiftUI", "UsherAuthoring", "UsherProcess"]),
        .testTarget(name: "UsherBytesTests", dependencies: ["UsherBytes"]),
        .testTarget(name: "UsherJSONTests", dependencies: ["SeededRandom", "UsherJSON"]),
        .testTarget(name: "UsherSchemaTests", dependencies: ["UsherJSON", "UsherSchema"]),
        .testTarget(
            name: "UsherContractTests",
            dependencies: samples + [
                "Programs", "Usher", "UsherContract", "UsherHTTP", "UsherJSON", "UsherSchema",
            ]),
        .testTarget(name: "UsherFutureTests", dependencies: ["UsherFuture"]),
        .testTarget(
            name: "UsherReflectionTests", dependencies: ["Programs", "SeededRandom", "UsherReflection"]),
        .testTarget(
            name: "UsherProcessTests", dependencies: ["CJemalloc", "LocalhostClient", "Programs", "UsherProcess"]),
        .testTarget(
            name: "UsherSupervisorTests", dependencies: ["Programs", "UsherProcess", "UsherSupervisor"]),
        .testTarget(name: "UsherMetricsTests", dependencies: ["UsherMetrics"]),
        .testTarget(
            name: "UsherJournalTests",
            dependencies: [
                "JournalSubject", "PostgresCluster", "Programs", "UsherJournal", "UsherMetrics", "UsherPostgres",
                "UsherSQLite",
            ]),
        .testTarget(
            name: "UsherPostgresTests",
            dependencies: [
                "JournalSubject", "LocalhostClient", "PostgresCluster", "Programs", "UsherJournal", "UsherPostgres",
                "UsherProcess",
            ]),
        .testTarget(
            name: "UsherSQLiteTests",
            dependencies: [
                "CSQLite", "JournalSubject", "Programs", "RecordedDisk", "SeededRandom", "UsherJournal",
                "UsherMetrics", "UsherSQLite",
            ]),
        .testTarget(name: "UsherTests", dependencies: ["Usher", "UsherJSON", "UsherReflection"]),
        .testTarget(
            name: "UsherExplorationTests", dependencies: samples + ["Usher", "UsherExploration", "UsherJSON"]),
        .testTarget(
            name: "UsherTestingTests",
            dependencies: [
                "HelloBye", "LocalhostClient", "Notes", "StartLoginMain", "Usher", "UsherJSON", "UsherServer",
                "UsherTesting",
            ]),
        .testTarget(name: "UsherHTTPTests", dependencies: ["UsherFuture", "UsherHTTP", "UsherJSON"]),
        .testTarget(
            name: "MicroHTTPDTests",
            dependencies: ["LocalhostClient", "MicroHTTPD", "SeededRandom", "UsherFuture", "UsherHTTP"]),
        .executableTarget(
            name: "ReplayProgram", dependencies: samples + ["Usher", "UsherJSON", "UsherJournal", "UsherSessions"],
            path: "Tests/ReplayProgram"),
        // The app whose handlers end the process, or hold up its threads.
        .executableTarget(name: "CrashProgram", dependencies: ["Usher", "UsherServer"], path: "Tests/CrashProgram"),
        // An app in several builds.
        .executableTarget(
            name: "ReleaseProgram", dependencies: ["Usher", "UsherServer"], path: "Tests/ReleaseProgram"),
        // The app that the page is tested with, beside the samples.
        .executableTarget(
            name: "GalleryProgram", dependencies: ["SampleBackend", "Usher", "UsherServer"],
            path: "Tests/GalleryProgram"),
        .testTarget(
            name: "UsherSessionsTests",
            dependencies: samples + [
                "JournalSubject", "LocalhostClient", "PostgresCluster", "Programs", "ReplayProgram", "SeededRandom",
                "Usher", "UsherFuture", "UsherJSON", "UsherJournal", "UsherPostgres", "UsherProcess", "UsherSQLite",
                "UsherSessions",
            ]),
        // A load on a journal in PostgreSQL, without sessions and HTTP.
        .executableTarget(
            name: "JournalLoad", dependencies: ["UsherJournal", "UsherMetrics", "UsherPostgres", "UsherProcess"],
            path: "Benchmarks/JournalLoad"),
        // One app in two forms, for the engine and for UIKit: the server that `script/bench uikit` compares.
        .executableTarget(
            name: "TwoForms", dependencies: ["UIKit", "Usher", "UsherJSON", "UsherServer"],
            path: "Benchmarks/TwoForms"),
        // A whole server in one process, driven by one seed.
        .executableTarget(
            name: "Simulation",
            dependencies: [
                "Programs", "RecordedDisk", "SeededRandom", "Usher", "UsherHTTP", "UsherJSON", "UsherJournal",
                "UsherProcess", "UsherServer", "UsherSQLite", "UsherSessions",
            ], path: "Tests/Simulation"),
        .testTarget(name: "SimulationTests", dependencies: ["Programs", "Simulation"]),
        // What script/fuzz hands mutated bytes to.
        .target(
            name: "FuzzedReaders",
            dependencies: [
                "Notes", "Usher", "UsherFuture", "UsherHTTP", "UsherJSON", "UsherJournal", "UsherServer",
                "UsherSessions",
            ], path: "Tests/FuzzedReaders"),
        .executableTarget(
            name: "CorpusProgram", dependencies: ["FuzzedReaders", "SeededRandom"], path: "Tests/CorpusProgram"),
        .testTarget(
            name: "FuzzedReadersTests", dependencies: ["CorpusProgram", "FuzzedReaders", "LocalhostClient", "Programs"]),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "CrashProgram", "GalleryProgram", "LocalhostClient", "Programs", "RecordedDisk", "SampleBackend",
                "SeededRandom", "SignInProgram", "Tudy", "Usher", "UsherCommand", "UsherJSON", "UsherJournal",
                "UsherProcess", "UsherServer",
                "UsherSessions",
            ]),
        .testTarget(
            name: "UsherServerTests",
            dependencies: samples + [
                "GalleryProgram", "JournalSubject", "LocalhostClient", "MicroHTTPD", "Programs", "ReleaseProgram",
                "SampleBackend", "SeededRandom", "ServerCluster", "SignInProgram", "Usher", "UsherBytes",
                "UsherCommand", "UsherContract",
                "UsherExploration", "UsherHTTP", "UsherJSON", "UsherJournal", "UsherPostgresCommand", "UsherProcess",
                "UsherServer", "UsherSQLite", "UsherSessions", "UsherTesting",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for case .byNameItem(let sample, _) in samples {
    let services: [Target.Dependency] = samplesThatSignIn.contains(sample) ? ["SampleAccounts"] : []
    package.targets.append(
        .target(name: sample, dependencies: ["Usher"] + services, path: "Sources/Samples/\(sample)"))
}

for article in articles {
    package.targets.append(
        .target(name: "\(article)Article", dependencies: ["UIKit"], path: "Tests/UIKitArticles/\(article)"))
}

// The readers under libFuzzer, which brings the entry point: not part of any other build.
if Context.environment["USHER_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzing", dependencies: ["FuzzedReaders"], path: "Tests/Fuzzing", exclude: ["Corpus"]))
}

// Some of the tests alone, and what they need: a sanitizer builds all of it anew.
if let names = Context.environment["USHER_TESTS"]?.split(separator: ",").map(String.init) {
    var needed: Set<String> = []
    func need(_ name: String) {
        guard let target = package.targets.first(where: { $0.name == name }), needed.insert(name).inserted else {
            return
        }
        for case .byNameItem(let other, _) in target.dependencies { need(other) }
        for case .plugin(let other, _) in target.plugins ?? [] { need(other) }
    }
    for name in names { need(name) }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}

// Each target has a README in its folder; the samples and the tests have none of their own.
for target in package.targets where target.path == nil && ![.plugin, .system, .test].contains(target.type) {
    target.exclude = ["README.md"]
}

// Every target but the apps with an app's settings is held to the same rules; a warning is an error.
for target in package.targets
where target.type != .system && target.type != .plugin && !["SelectorApp", "SwiftFiveApp"].contains(target.name) {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
