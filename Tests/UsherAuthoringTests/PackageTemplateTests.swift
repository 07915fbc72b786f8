import Foundation
import Testing
import UsherAuthoring

/// That the packages build and pass is seen by `script/test example`.
@Suite("A new package")
struct PackageTemplateTests {
    @Test func `its types are named after it, and its folder as the user wrote it`() throws {
        let template = try PackageTemplate(named: "shop", usher: .folder("../usher"), isOnUIKit: false)
        #expect(template.folder == "shop")
        #expect(template.files.keys.contains("Sources/Shop/ShopServer.swift"))
        #expect(template.files["Package.swift"]?.contains(#".package(name: "usher", path: "../usher")"#) == true)
    }

    @Test func `its dependency may be a URL, and is written as Swift writes it`() throws {
        let location = PackageTemplate.PackageLocation.url("https://example.org/\"usher\"", version: "0.1.0")
        let manifest = try PackageTemplate(named: "Shop", usher: location, isOnUIKit: true).files["Package.swift"]
        #expect(manifest?.contains(#".package(url: "https://example.org/\"usher\"", from: "0.1.0")"#) == true)
        #expect(manifest?.contains(#".product(name: "UsherUIKit""#) == true)
    }

    @Test(arguments: [false, true])
    func `its files can be read, and use nothing of the process's`(isOnUIKit: Bool) throws {
        let template = try PackageTemplate(named: "Shop", usher: .folder("../usher"), isOnUIKit: isOnUIKit)
        for (path, text) in template.files where path.hasSuffix(".swift") {
            #expect(GlobalUseSearch(try SwiftSource(Array(text.utf8))).uses() == [], "\(path)")
        }
    }

    /// Usher's own modules, each a folder, and those of the toolchain that they import.
    private static var modules: [String] {
        get throws {
            let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized.path
            let folders = try [sources, "\(sources)/Samples"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: folder)
            }
            return folders.filter { !$0.contains(".") && !$0.hasPrefix("_") && $0 != "Samples" }
                + ["Synchronization", "Foundation", "Dispatch", "Glibc", "Testing"]
        }
    }

    @Test func `a name of a module that it would be built with is refused, and another proposed`() throws {
        let modules = try Self.modules
        #expect(modules.contains("UsherJSON") && modules.contains("Notes"))
        for module in modules {
            let error = #expect(throws: PackageTemplate.NameError.self, "\(module)") {
                try PackageTemplate(
                    named: module.prefix(1).lowercased() + module.dropFirst(), usher: .folder("../usher"),
                    isOnUIKit: true)
            }
            #expect(error?.description.contains("take another, such as My\(module)") ?? false)
        }
        _ = try PackageTemplate(named: "MyNotes", usher: .folder("../usher"), isOnUIKit: true)
    }

    @Test(arguments: [
        "", "1shop", "my shop", "../shop", "a/b", "shöp", "sh-op", "UIKit", "usher", "coordinator", "\u{0}",
    ])
    func `a name that no package can have is refused`(name: String) {
        #expect(throws: PackageTemplate.NameError.self) {
            try PackageTemplate(named: name, usher: .folder("../usher"), isOnUIKit: false)
        }
        #expect(throws: PackageTemplate.NameError.self) {
            try PackageTemplate(
                named: String(repeating: "a", count: 65), usher: .folder("../usher"), isOnUIKit: false)
        }
    }
}
