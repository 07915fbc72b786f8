// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "matinee",
    dependencies: [
        // In a separate package, write `.package(url: "…", from: "…")` here.
        .package(name: "usher", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "MatineeServer",
            dependencies: [
                // On Apple's platforms, `import UIKit` imports Apple's module.
                .product(name: "UsherUIKit", package: "usher", condition: .when(platforms: [.linux])),
                .product(name: "Usher", package: "usher"),
                .product(name: "UsherServer", package: "usher"),
            ],
            // Matinee is the iOS app's own folder; MatineeServer has the code that is only on the server.
            path: "Sources"),
        .testTarget(
            name: "MatineeTests",
            dependencies: [
                "MatineeServer", .product(name: "Usher", package: "usher"),
                .product(name: "UsherTesting", package: "usher"),
                .product(name: "UsherUIKit", package: "usher", condition: .when(platforms: [.linux])),
            ]),
    ]
)
