// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "larder",
    dependencies: [
        // In a separate package, write `.package(url: "…", from: "…")` here.
        .package(name: "usher", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "LarderServer",
            dependencies: [
                // On Apple's platforms, Apple's modules are used.
                .product(name: "UsherUIKit", package: "usher", condition: .when(platforms: [.linux])),
                .product(name: "Usher", package: "usher"),
                .product(name: "UsherServer", package: "usher"),
            ],
            // Larder is the iOS app's own folder; LarderServer has the code that is only on the server.
            path: "Sources"),
        .testTarget(
            name: "LarderTests",
            dependencies: [
                "LarderServer", .product(name: "Usher", package: "usher"),
                .product(name: "UsherTesting", package: "usher"),
                .product(name: "UsherUIKit", package: "usher", condition: .when(platforms: [.linux])),
            ]),
    ]
)
