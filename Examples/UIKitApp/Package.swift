// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "matinee",
    dependencies: [
        // A package of its own says `.package(url: "…", from: "…")` here.
        .package(name: "usher", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "MatineeServer",
            dependencies: [
                // On Apple's platforms `import UIKit` is Apple's.
                .product(name: "UsherUIKit", package: "usher", condition: .when(platforms: [.linux])),
                .product(name: "Usher", package: "usher"),
                .product(name: "UsherServer", package: "usher"),
            ],
            // Matinee is the iOS app's own folder; MatineeServer has what is not on the phone.
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
