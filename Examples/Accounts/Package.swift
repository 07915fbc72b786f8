// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "accounts",
    dependencies: [
        // In a separate package, write `.package(url: "…", from: "…")` here.
        .package(name: "usher", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "AccountsServer",
            dependencies: [
                .product(name: "Usher", package: "usher"),
                .product(name: "UsherServer", package: "usher"),
            ]),
        .testTarget(
            name: "AccountsTests",
            dependencies: [
                "AccountsServer", .product(name: "Usher", package: "usher"),
                .product(name: "UsherTesting", package: "usher"),
            ]),
    ]
)
