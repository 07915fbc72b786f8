import Programs
import Testing
import UsherAuthoring

@Suite("Apple's APIs that the modules lack")
struct APIGapTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        ("import MapKit\nimport struct CoreLocation.CLLocation", ["import MapKit", "import CoreLocation"]),
        ("@preconcurrency import WebKit\nimport os.log", ["import WebKit", "import os.log"]),
        ("import os\nimport OSLog\nimport StoreKit", []),
        ("import RxSwift\nimport Foundation", []),
        ("let a = UILabel()", ["UILabel"]), ("let a: [UITableViewCell?] = []", ["UITableViewCell"]),
        ("class A: UIViewController, UITableViewDelegate {}", ["UITableViewDelegate"]),
        ("let a = UIKit.UILabel()", ["UILabel"]), ("let a = UIView(), b = NSObject(), c = CGSize.zero", []),
        ("let a = UIMadeUp()", ["UIMadeUp"]), ("struct UIMadeUp {}\nlet a = UIMadeUp()", []),
        ("let a = Shop.UILabel()", []), ("let a = UITheme.dark\nenum UITheme { case dark }", []),
        ("let a = UIKIT, b = UIs", []), ("let a = \"UILabel\" // UILabel", []),
        ("class A { @objc func f() {}\nlet s = #selector(f), k = #keyPath(g) }", ["#keyPath"]),
        ("@IBOutlet weak var a: UIView?\n@NSManaged var b: Int", ["@NSManaged"]),
        ("@MainActor func f() {}\n#warning(\"a\")", []),
    ])
    func `the search finds imports, types and attributes that the modules lack`(code: String, found: [String]) throws {
        #expect(try missing("import UIKit\n\(code)") == found)
    }

    @Test(arguments: [
        ("UIApplication.shared.beginBackgroundTask()", ["UIApplication.beginBackgroundTask"]),
        ("let i = UIAction.standard", ["UIAction.standard"]), ("let i = UIColor.red, j = UIColor.self", []),
        ("extension UIColor { static var brand: UIColor { .red } }\nlet i = UIColor.brand", []),
        (
            "UNUserNotificationCenter.current().getNotificationSettings { _ in }",
            ["UNUserNotificationCenter.getNotificationSettings"]
        ),
        (
            "let o: UIView.AnimationOptions = UIView.AnimationOptions.curveEaseIn",
            ["UIView.AnimationOptions.curveEaseIn"]
        ),
        (
            "func f(bar: UINavigationBar) { bar.shadowImage = nil; bar.isTranslucent = true }",
            ["UINavigationBar.shadowImage"]
        ),
        ("let bar = UINavigationBar()\nfunc f() { self.bar.shadowImage = nil }", ["UINavigationBar.shadowImage"]),
        ("let bar = UINavigationBar(frame: f(0)).make()\nfunc f() { bar.shadowImage = nil }", []),
        ("func f(bar: UINavigationBar) {}\nfunc g(bar: Bar) { bar.shadowImage = nil }", []),
        ("func f(bar: UINavigationBar) {}\nfunc g() { let bar = make(); bar.shadowImage = nil }", []),
        ("func f(bars: [UINavigationBar]) { bars.shadowImage() }", []),
        ("func f(bar: (UINavigationBar) -> Void) { bar.shadowImage() }", []),
        ("func f() { make().hidesBarsOnSwipe = true }", ["UINavigationController.hidesBarsOnSwipe"]),
        ("struct A { var hidesBarsOnSwipe = false }\nfunc f(a: A) { a.hidesBarsOnSwipe }", []),
        ("func f(window: UIWindow?) { window?.makeKeyAndVisible(); window!.isKeyWindow }", []),
        ("let set = UIInterfaceOrientationMask.all.contains(.portrait)", []),
        ("let n = NotificationCenter.default.description", []),
    ])
    func `the search finds a missing member if the member's type is known or its name is unique`(
        code: String, found: [String]
    ) throws {
        #expect(try missing("import UIKit\n\(code)") == found)
    }

    @Test(arguments: [
        ("override func prepare(for segue: Segue) {}", ["UIViewController.prepare"]),
        ("override func viewDidLoad() { super.viewDidLoad() }", []),
        ("override func viewWillTransition() {}", ["UIViewController.viewWillTransition"]),
        ("func f() { performSegue(withIdentifier: \"a\") }", ["UIViewController.performSegue"]),
        ("func f() { self.restorationIdentifier = nil }", ["UIViewController.restorationIdentifier"]),
        ("func f() { self.own(); self.title = nil; own() }\nfunc own() {}", []),
    ])
    func `the search finds the members of a controller's superclass through the app's classes`(
        code: String, found: [String]
    ) throws {
        let classes = "import UIKit\nclass Base<T: AnyObject>: UIViewController {}\nclass A: Base<B> {\n\(code)\n}\n"
        #expect(try missing(classes) == found)
        // Without the superclass, nothing is known about the class.
        #expect(try missing(classes.replacing("UIViewController {}", with: "Other {}")) == [])
    }

    @Test(arguments: [
        ("#if os(iOS)\nimport MapKit\n#endif", []), ("#if os(Linux)\nimport MapKit\n#endif", ["import MapKit"]),
        ("#if canImport(MapKit)\nimport MapKit\n#else\nlet a = UILabel()\n#endif", ["UILabel"]),
        ("#if canImport(UIKit)\nlet a = UILabel()\n#else\nimport MapKit\n#endif", ["UILabel"]),
        ("#if canImport(RxSwift)\nlet a = UILabel()\n#else\nimport MapKit\n#endif", ["UILabel", "import MapKit"]),
        (
            "#if DEBUG\nlet a = UILabel()\n#elseif os(iOS)\nimport MapKit\n#else\nimport WebKit\n#endif",
            ["UILabel", "import WebKit"]
        ),
        ("#if !os(Linux) && DEBUG\nimport MapKit\n#endif", []),
        ("#if !(os(iOS) || os(macOS))\nimport MapKit\n#endif", ["import MapKit"]),
        ("#if os(iOS) || DEBUG\nimport MapKit\n#endif", ["import MapKit"]),
        ("#if os(iOS)\n#if DEBUG\nimport MapKit\n#endif\nimport WebKit\n#endif\nlet a = UILabel()", ["UILabel"]),
        ("#if os(Linux)\n#elseif DEBUG\nimport MapKit\n#endif", []),
        ("#endif\n#else\nlet a = UILabel()\n#if", ["UILabel"]),
        ("let a = UILabel() // usher:allow", []),
    ])
    func `the search ignores code that Linux does not compile and code that a comment allows`(
        code: String, found: [String]
    ) throws {
        #expect(try missing("import UIKit\n\(code)") == found)
    }

    @Test func `the search finds each use of Objective-C that has no counterpart, and reports #keyPath once`() throws {
        let code = """
            import UIKit
            class A {
                func f() { g(#selector(getter: b), #selector(setter: c), #selector(f), #keyPath(b), #keyPath(c)) }
            }
            @objc protocol P { @objc optional func q() }
            """
        #expect(try missing(code.replacing("q() }", with: "q() } // usher:allow")).contains("optional") == false)
        #expect(try missing(code) == ["#keyPath", "#selector", "#selector", "optional"])
        let gap = try #require(try SourceFiles(folder.path).gaps().first { $0.name == "optional" })
        #expect(
            gap.description
                == "\(folder("A.swift")):5:26: optional is missing, 1 use: an optional requirement needs Objective-C: make it a requirement that an extension implements"
        )
        #expect(try SourceFiles(folder.path).gaps(excluding: ["A.swift"]) == [])
    }

    @Test func `the search finds SwiftUI's names only in files that import SwiftUI`() throws {
        #expect(try missing("import SwiftUI\nlet a = VStack {}\nlet b = Text(\"a\")") == ["VStack"])
        #expect(try missing("import Layout\nlet a = VStack {}") == [])
        #expect(try missing("import SwiftUI\nstruct VStack {}\nlet a = VStack {}") == [])
        #expect(try missing("import SwiftUI\nfunc VStack<A>(a: () -> A) -> A { a() }\nlet a = VStack {}") == [])
    }

    @Test(arguments: [
        (#"targets: [.target(name: "MapKit", path: "Linux/MapKit")]"#, ["import WebKit"]),
        (#"targets: [.executableTarget(name: "WebKit"), .target(name: "MapKit")]"#, []),
        (#"targets: [.testTarget(name: "MapKit"), target(name: "WebKit"), .target(names: "MapKit")]"#, nil),
        (#"dependencies: [.package(name: "MapKit", path: "b")], targets: [.target("#, nil),
    ])
    func `a module of the app's own package is not reported as missing`(targets: String, found: [String]?) throws {
        try write("import PackageDescription\nlet package = Package(name: \"MapKit\", \(targets)", to: "Package.swift")
        #expect(try missing("import MapKit\nimport WebKit") == found ?? ["import MapKit", "import WebKit"])
    }

    @Test func `if a file imports another package, only APIs that docs/uikit-parity.md lists are reported`() throws {
        let code = "import UIKit\nlet a = UIMadeUp(), b = UIColor.brand, c = UILabel()"
        #expect(try missing(code) == ["UIMadeUp", "UIColor.brand", "UILabel"])
        #expect(try missing("import Theme\n\(code)") == ["UILabel"])
    }

    @Test func `each API is reported once, with its first use and the number of uses`() throws {
        try write("import UIKit\nimport MapKit\nlet a = UILabel(), b = UILabel()", to: "A.swift")
        try write("import UIKit\n  let a = UILabel(), b = UIScreen.main, c = UIMadeUp()", to: "B.swift")
        let gaps = try SourceFiles(folder.path).gaps()
        #expect(
            gaps.map(\.description) == [
                "\(folder("A.swift")):2:1: import MapKit is missing, 1 use: needed only for screens: exclude the files, and write replacements with screens",
                "\(folder("A.swift")):3:9: UILabel is missing, 3 uses: a view: a controller's replacement has none",
                "\(folder("B.swift")):2:45: UIMadeUp is declared neither in the modules nor in these files, 1 use",
                "\(folder("B.swift")):2:35: UIScreen.main differs, 1 use: the size of one phone",
            ])
        #expect(
            gaps.map(\.section) == [
                "The language, and Apple's other modules", "Views and bars", nil, "The application and its windows",
            ])
    }

    @Test func `files that the user excludes are not searched, but their declarations are known`() throws {
        try write("import UIKit\nclass UIHome: UIViewController { let a = UILabel() }", to: "Views/Home.swift")
        try write("import UIKit\nlet home = UIHome()", to: "Flow.swift")
        let files = try SourceFiles(folder.path)
        #expect(files.gaps(excluding: ["Views"]) == [] && files.gaps(excluding: ["Views/Home.swift"]) == [])
        #expect(files.gaps(excluding: ["View", "Views/Ho"]).map(\.name) == ["UILabel"])
    }

    @Test(arguments: [("Views", true), ("Resources", true), ("Resources/a.json", true), ("Resource", false)])
    func `a file or folder that the user excludes must exist, but need not be Swift code`(name: String, exists: Bool)
        throws
    {
        try write("let a = 1", to: "Views/A.swift")
        try write("{}", to: "Resources/a.json")
        let files = try SourceFiles(folder.path)
        var failure: SourceFiles.Failure?
        do throws(SourceFiles.Failure) { try files.expectFiles(in: ["Views", name]) } catch { failure = error }
        let words = "there is no file or folder \(name) below \(folder.path); write its path relative to \(folder.path)"
        #expect(failure?.description == (exists ? nil : words))
    }

    @Test(arguments: [
        "Examples/UIKitApp/Sources", "Examples/SwiftUIApp/Sources", "Tests/SwiftFiveApp", "Tests/UIKitTests",
    ])
    func `code that compiles against the modules has no findings`(path: String) throws {
        let missing = try SourceFiles(path).gaps().filter { $0.status == .missing }
        #expect(missing.map(\.description) == [])
    }

    @Test func `source that does not compile does not crash the tool`() throws {
        let code = """
            import UIKit
            #if os(iOS) && (DEBUG || !canImport(MapKit))
            @objc class A: Base<B> { override func prepare(for a: UIView.State) { self.view?.layer.x = UIScreen.main.y() } }
            #else
            let bar: any UINavigationBar = UIView.AnimationOptions.curveEaseIn
            #endif
            """
        for count in 0..<code.utf8.count {
            try folder.write(Array(code.utf8.prefix(count)), to: "A.swift")
            _ = try? SourceFiles(folder.path).gaps()
        }
    }

    private func write(_ text: String, to name: String) throws {
        let parent = folder(name).split(separator: "/").dropLast().joined(separator: "/")
        try #require(try Program.run(["mkdir", "-p", "/\(parent)"]).status == 0)
        try folder.write(Array(text.utf8), to: name)
    }

    private func missing(_ code: String) throws -> [String] {
        try folder.write(Array(code.utf8), to: "A.swift")
        return try SourceFiles(folder.path).gaps().filter { $0.status == .missing }.map(\.name)
    }
}
