// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "counter",
    dependencies: [
        // In a separate package, write `.package(url: "…", from: "…")` here.
        .package(name: "usher", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "CounterServer",
            dependencies: [
                .product(name: "Usher", package: "usher"),
                .product(name: "UsherServer", package: "usher"),
            ]),
        .testTarget(
            name: "CounterTests",
            dependencies: ["CounterServer", .product(name: "UsherTesting", package: "usher")]),
    ]
)
