import Foundation
import Testing
import UsherAuthoring

/// Tests of the templates' texts.
///
/// The gate `script/gates/new` builds the packages, and runs their tests, servers and images.
@Suite("A new package")
struct PackageTemplateTests {
    @Test func `a new package's types are named after the package, and its folder is named as the user wrote it`()
        throws
    {
        let template = try PackageTemplate(named: "shop", usher: .folder("../usher"), isOnUIKit: false)
        #expect(template.folder == "shop")
        #expect(template.files.keys.contains("Sources/Shop/ShopServer.swift"))
        #expect(template.files["Package.swift"]?.contains(#".package(name: "usher", path: "../usher")"#) == true)
    }

    @Test func `a new package may get Usher from a URL, which is written as a Swift literal`() throws {
        let location = PackageTemplate.PackageLocation.url("https://example.org/\"usher\"", version: "0.1.0")
        let manifest = try PackageTemplate(named: "Shop", usher: location, isOnUIKit: true).files["Package.swift"]
        #expect(manifest?.contains(#".package(url: "https://example.org/\"usher\"", from: "0.1.0")"#) == true)
        #expect(manifest?.contains(#".product(name: "UsherUIKit""#) == true)
    }

    @Test(arguments: [false, true])
    func `the files of a new package can be parsed and use no process-wide state`(isOnUIKit: Bool) throws {
        let template = try PackageTemplate(named: "Shop", usher: .folder("../usher"), isOnUIKit: isOnUIKit)
        for (path, text) in template.files where path.hasSuffix(".swift") {
            #expect(GlobalUseSearch(try SwiftSource(Array(text.utf8))).uses() == [], "\(path)")
        }
    }

    @Test func `a new UIKit package has the same Globals.swift as the example`() throws {
        let template = try PackageTemplate(named: "Shop", usher: .folder("../usher"), isOnUIKit: true)
        let example = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/SwiftUIApp/Sources/LarderServer/Globals.swift")
        #expect(try template.files["Sources/Shop/Globals.swift"] == String(contentsOf: example, encoding: .utf8))
    }

    @Test func `a new package's Dockerfile differs from Usher's only in the lines about its own files and program`()
        throws
    {
        let template = try PackageTemplate(named: "Shop", usher: .folder("../usher"), isOnUIKit: false)
        let steps = try Self.steps(#require(template.files["Dockerfile"]), of: template)
        let ours = Set(try Self.steps(Self.file("docker/Dockerfile"), of: template))
        #expect(
            steps.filter { !ours.contains($0) } == [
                "WORKDIR /build/Shop", #"COPY --from=usher [".", "/build/usher"]"#,
                #"RUN install "$(script/build)" /usr/local/bin/usher"#,
                #"COPY --from=build ["/build/usher/docker/health", "/usr/local/bin/usher-health"]"#,
                #"COPY --from=build ["/build/usher/Public", "/usr/local/share/usher/public"]"#,
            ])
    }

    @Test func `a new package's systemd unit has Usher's settings, except the settings for overlapping instances`()
        throws
    {
        let template = try PackageTemplate(named: "Shop", usher: .folder("../usher"), isOnUIKit: false)
        let settings = try Self.steps(#require(template.files["deploy/shop.service"]), of: template)
        let ours = try Self.steps(Self.file("deploy/usher@.service"), of: template)
        let replaced = ["Description=Usher %i", "User=usher"]
        #expect(
            ours.filter { !replaced.contains($0) }.map {
                $0.replacing("/%i/usher", with: "/usher").replacing(" --replace", with: "")
            } == settings.filter { $0 != "Description=Shop" })
    }

    @Test(arguments: [
        ("../usher", "/build/Shop", "/build/usher"), ("../../lib/usher/", "/build/packages/Shop", "/build/lib/usher"),
        ("../../..", "/build/packages/packages/Shop", "/build"), ("./usher", "/build/Shop", "/build/Shop/usher"),
        ("/opt/my usher", "/build/Shop", "/opt/my usher"),
    ])
    func `the container image of a new package copies Usher from the folder that the manifest names`(
        path: String, folder: String, usher: String
    )
        throws
    {
        let template = try PackageTemplate(named: "shop", usher: .folder(path), isOnUIKit: false)
        let dockerfile = try #require(template.files["Dockerfile"])
        #expect(dockerfile.contains("docker build --build-context usher=\"\(path)\" --tag shop ."))
        #expect(dockerfile.contains("\nWORKDIR \(folder)\n"))
        #expect(dockerfile.contains("\nCOPY --from=usher [\".\", \"\(usher)\"]\n"))
        #expect(dockerfile.contains("\nCOPY --from=build [\"\(usher)/docker/health\", "))
    }

    @Test func `the container image of a new package needs no second build context if SwiftPM downloads Usher`() throws
    {
        let location = PackageTemplate.PackageLocation.url("https://example.org/usher", version: "0.1.0")
        let template = try PackageTemplate(named: "shop", usher: location, isOnUIKit: false)
        let dockerfile = try #require(template.files["Dockerfile"])
        #expect(dockerfile.contains("docker build --tag shop ."))
        #expect(!dockerfile.contains("--from=usher"))
        #expect(dockerfile.contains("\nCOPY --from=build [\"/build/Shop/.build/checkouts/usher/docker/health\", "))
    }

    /// Returns the instructions of a Dockerfile, or the settings of a unit, one per line.
    ///
    /// The variables of `ENV` are separate lines, and the service's name is Usher's.
    private static func steps(_ text: String, of template: PackageTemplate) -> [String] {
        let lines = text.replacing(template.service, with: "usher").split(separator: "\n").filter { !$0.hasPrefix("#") }
        let steps = lines.joined(separator: "\n").replacing(#/\\\n */#, with: "").split(separator: "\n")
        return steps.flatMap { step in
            guard step.hasPrefix("ENV ") else { return [String(step.replacing(#/ AS .*/#, with: ""))] }
            return step.split(separator: " ").dropFirst().map { "ENV \($0)" }
        }
    }

    private static func file(_ path: String) throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../\(path)").standardized
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The names of Usher's own modules, one for each folder, and of the toolchain's modules that they import.
    private static var modules: [String] {
        get throws {
            let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized.path
            let folders = try [sources, "\(sources)/Samples"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: folder)
            }
            // A package's target begins with a capital, so it cannot be `os`.
            return folders.filter { !$0.contains(".") && !$0.hasPrefix("_") && !["Samples", "os"].contains($0) }
                + ["Synchronization", "Foundation", "Dispatch", "Glibc", "Testing"]
        }
    }

    @Test func `a package name that is the name of a module is refused, and another name is proposed`() throws {
        let modules = try Self.modules
        #expect(modules.contains("UsherJSON") && modules.contains("Notes"))
        for module in modules {
            let error = #expect(throws: PackageTemplate.NameError.self, "\(module)") {
                try PackageTemplate(
                    named: module.prefix(1).lowercased() + module.dropFirst(), usher: .folder("../usher"),
                    isOnUIKit: true)
            }
            #expect(error?.description.contains("choose another, such as My\(module)") ?? false)
        }
        _ = try PackageTemplate(named: "MyNotes", usher: .folder("../usher"), isOnUIKit: true)
    }

    @Test(arguments: [
        "", "1shop", "my shop", "../shop", "a/b", "shöp", "sh-op", "UIKit", "usher", "coordinator", "\u{0}",
    ])
    func `an illegal package name is refused`(name: String) {
        #expect(throws: PackageTemplate.NameError.self) {
            try PackageTemplate(named: name, usher: .folder("../usher"), isOnUIKit: false)
        }
        #expect(throws: PackageTemplate.NameError.self) {
            try PackageTemplate(
                named: String(repeating: "a", count: 65), usher: .folder("../usher"), isOnUIKit: false)
        }
    }
}
