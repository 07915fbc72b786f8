import Testing
import UsherAuthoring

@Suite("Uses of process-wide state in an app's code")
struct GlobalUseTests {
    @Test(arguments: [
        "UserDefaults.standard", "NotificationCenter.default", "Locale.current", "Locale.autoupdatingCurrent",
        "TimeZone.current", "DispatchQueue.main", "DispatchQueue.global", "DispatchTime.now", "RunLoop.main",
        "Timer.scheduledTimer", "Task.detached",
    ])
    func `a name that the UIKit module replaces is reported if the file does not import the module`(
        name: String
    ) throws {
        #expect(try names("import Foundation\nlet a = \(name)") == [name])
        #expect(try names("import RxSwift\nlet a = \(name)") == [name])
        #expect(try names("import UIKit\nfunc f() { let a = \(name) }") == [])
    }

    @Test(arguments: [
        ("let a = Locale.current", ["let a"]), ("let a: UserDefaults = UserDefaults.standard", ["let a"]),
        ("enum A { static let zone = TimeZone.current.identifier }", ["static let zone"]),
        (
            "enum A {\nstatic let f: DateFormatter = {\nlet f = DateFormatter()\nf.locale = .current\nf.timeZone = .current\nreturn f\n}()\n}",
            ["static let f"]
        ),
        (
            "enum A {\nstatic let f: DateFormatter = {\nlet f = DateFormatter()\nf.locale = en\nf.timeZone = .gmt\nreturn f\n}()\n}",
            []
        ),
        ("enum A { static let make = { Locale.current } }", []), ("enum A { let locale = Locale.current }", []),
        ("enum A { static let item = Item.current }", []),
        ("enum A {\nstatic let a = 3\nlet b = Locale.current\n}", []),
        ("enum A { static let style: Style = .init(locale: .current) }", ["static let style"]),
    ])
    func `a stored global value is reported if it is initialized once from the session's state`(
        code: String, found: [String]
    ) throws {
        #expect(try names("import UIKit\n\(code)") == found)
    }

    @Test(arguments: [
        ("UserDefaults.standard", false), ("NotificationCenter.default", false), ("Locale.current", false),
        ("DispatchQueue.main", true), ("RunLoop.main", true), ("Timer.scheduledTimer", true),
    ])
    func `a name is reported if it comes from Foundation, even if the file also imports UIKit`(
        name: String, isFound: Bool
    ) throws {
        let uses = try uses("import UIKit\nimport Foundation\nfunc f() { let a = \(name) }")
        #expect(uses.map(\.name) == (isFound ? [name] : []))
        #expect(uses.allSatisfy { $0.remedy.contains("import only UIKit") })
    }

    @Test(arguments: [
        "AuthenticationServices", "Combine", "LocalAuthentication", "MessageUI", "PhotosUI", "SafariServices",
        "StoreKit", "SwiftUI", "UniformTypeIdentifiers", "UserNotifications",
    ])
    func `names of UIKit are not reported in a file that imports a module that exports UIKit`(module: String)
        throws
    {
        #expect(try names("import \(module)\nfunc f() { let a = UserDefaults.standard }") == [])
        #expect(try names("import \(module)\nimport Foundation\nfunc f() { let a = Timer() }") == ["Timer()"])
    }

    @Test(arguments: ["import Foundation", "import Foundation\nimport UIKit", "import RxSwift"])
    func `a name that a type alias gives to UIKit's type is not reported in any file of the module`(
        imports: String
    )
        throws
    {
        let code = "\(imports)\nfunc f() { _ = (DispatchQueue.main, Timer(), Foundation.Timer(), Locale.current) }"
        let file = try SwiftSource(Array(code.utf8))
        let names = try SwiftSource(
            Array("import UIKit\ntypealias DispatchQueue = UIKit.DispatchQueue\ntypealias Timer = RxSwift.Timer".utf8))
        let uses = GlobalUseSearch(file, of: AppDeclarations(in: [file, names])).uses()
        #expect(!uses.map(\.name).contains("DispatchQueue.main"))
        #expect(uses.filter { $0.name == "Timer()" }.count == 2)
        #expect(uses.first?.remedy.contains("`typealias Timer = UIKit.Timer` in one file") == true)
    }

    @Test(arguments: [
        "Date()", "Date.now", "Date(timeIntervalSinceNow:)", "UUID()", "Calendar.current", "HTTPCookieStorage.shared",
        "URLSession.shared", "SystemRandomNumberGenerator()", "ContinuousClock()", "ContinuousClock.now",
        "CFAbsoluteTimeGetCurrent()", "arc4random()",
    ])
    func `uses of process-wide state that no module can replace are always reported`(name: String) throws {
        let code = name.hasSuffix(":)") ? name.dropLast() + " 5)" : name[...]
        #expect(try names("import UIKit\nlet a = \(code)") == [name])
    }

    @Test(arguments: [
        ("let d: Date = .now", ["Date.now"]), ("func f(_ d: UserDefaults = .standard) {}", ["UserDefaults.standard"]),
        ("var c: NotificationCenter? = .default", ["NotificationCenter.default"]), ("Date.init()", ["Date()"]),
        ("Foundation.Date()", ["Date()"]), (#"let s = "at \(Date())""#, ["Date()"]),
        ("Int.random(in: 1...6)", ["Int.random"]), ("a.shuffled()", ["a.shuffled"]),
        ("f().randomElement()", ["randomElement"]), ("Task { @MainActor in load() }", ["Task"]),
        ("Task(priority: .high) {}", ["Task(priority:)"]),
        ("UserDefaults(suiteName: nil)", ["UserDefaults(suiteName:)"]),
        ("let a = UserDefaults\n    .standard", ["UserDefaults.standard"]), ("let d: Date = .init()", ["Date()"]),
        ("static let shared = Store()", ["static let shared"]), ("static var user: User?", ["static var user"]),
        ("private static var cache: [Int: Date] = [:]", ["static var cache"]),
        (##"let a = #"\(Date()) \#(UUID())"#"##, ["UUID()"]),
    ])
    func `uses of process-wide state in other spellings are reported`(code: String, found: [String]) throws {
        #expect(try names("import Foundation\nextension Shop {\n\(code)\n}") == found)
    }

    @Test(arguments: [
        "let d = Date(timeIntervalSince1970: 0)", "// Date()", #"let s = "Date()""#, "/* UUID() */", "My.Date()",
        "struct Date {}", "func Date() {}", "Int.random(in: 1...6, using: &random)", "a.shuffled(using: &random)",
        "case UUID(String)", "let f: (Date) -> Void", "try await Task.sleep(for: .seconds(1))", "var date: Date",
        "Locale(identifier: \"en\")", "Timer.self", "if Date == .self {}", "class Task {}",
        "static var name: String { \"a\" }", "static let limit = 3", "static func shared() {}",
        "@TaskLocal static var depth = 0", "extension Task {}", "var task: Task<Void, Never>?",
    ])
    func `code without process-wide state is not reported`(code: String) throws {
        #expect(try names("import Foundation\nextension Shop {\n\(code)\n}") == [])
    }

    @Test(arguments: [
        ("static private(set) var user: User?", ["static var user"]),
        ("static nonisolated(unsafe) var user: User?", ["static var user"]),
        ("static private let shared = Store()", ["static let shared"]),
        ("@TaskLocal private static var depth = 0", []), ("static private var name: String { \"a\" }", []),
        ("@TaskLocal static private var depth = 0", []), ("private(set) var user: User?", []),
    ])
    func `process-wide state is found in declarations with modifiers`(code: String, found: [String]) throws {
        #expect(try names("import UIKit\nenum Shop {\n\(code)\n}") == found)
    }

    @Test(arguments: [
        ("var user: User?", ["var user"]), ("private var cache: [Int: String] = [:]", ["var cache"]),
        ("nonisolated(unsafe) public private(set) var count = 0", ["var count"]),
        ("var name: String { \"a\" }", []), ("let limit = 3", []), ("@TaskLocal var depth = 0", []),
        ("func f() {\n    var count = 0\n}", []), ("struct Shop {\n    var name: String\n}", []),
        ("let all = list.map {\n    var copy = $0\n    return copy\n}", []),
    ])
    func `a global variable is reported, but a variable in a type or function is not reported`(
        code: String, found: [String]
    )
        throws
    {
        #expect(try names("import UIKit\n\(code)") == found)
    }

    @Test(arguments: [
        ("final class Store { static let `default` = Store() }", ["static let default"]),
        ("class Store {}\nenum Shop { static let store = Store(limit: 3) }", ["static let store"]),
        ("actor Store {}\nenum Shop { static let store: Store = .init() }", ["static let store"]),
        ("class Store { static let main = Self() }", ["static let main"]),
        ("final class Store: @unchecked Sendable { static let main = Store() }", ["static let main"]),
        ("final class Store: Sendable { static let main = Store() }", []),
        ("struct Store { static let main = Store() }", []), ("class Store { static let limit = 3 }", []),
        ("class Store {}\nenum Shop { static let name = Store.name() }", []),
        ("final class Store: Sendable { let m = Mutex(0); static let main = Store() }", ["static let main"]),
        ("final class Store: Sendable {\n@MainActor var n = 0\nstatic let main = Store()\n}", ["static let main"]),
        (
            "final class Store: Sendable {\n@MainActor var n = 0 {\ndidSet {}\n}\nstatic let main = Store()\n}",
            ["static let main"]
        ),
        ("final class Store: Sendable {\nvar n: Int { 0 }\nfunc f() { var a = 0 }\nstatic let main = Store()\n}", []),
        ("class Store {}\nlet store = Store()", ["let store"]), ("struct Store {}\nlet store = Store()", []),
        ("class Store {}\nfunc f() { let store = Store() }", []),
        ("class Store {}\nlet store: Store = {\n    let s = Store()\n    return s\n}()", ["let store"]),
        ("class Store {}\nenum Shop { static let store = { Store() }() }", ["static let store"]),
        ("class Store {}\nenum Shop { static let all = [Store()] }", ["static let all"]),
        ("class Store {}\nenum Shop { static let store = Store.init() }", ["static let store"]),
        ("class Store {}\nenum Shop { static let name = { Store.name() }() }", []),
        ("class Store {}\nenum Shop { static let make: () -> Store = { Store() } }", []),
        ("class Store {}\nenum Shop { static let all: [String] = { [Store().name] }() }", []),
        (
            "class Store {}\nenum Kind { case a, b(id: Int) }\nstruct Item { let kind: Kind?; var n = 1 }\n"
                + "enum Shop { static let examples: [Item] = { [Store().item] }() }", []
        ),
        ("class Store {}\nstruct Item { let s: Store }\nlet item: Item = { Item(s: Store()) }()", ["let item"]),
        ("class Store {}\nstruct Item { let s = Store() }\nlet item: [Item] = [Item(Store())]", ["let item"]),
        ("class Store {}\nenum Item { case s(Store) }\nlet item: Item = { .s(Store()) }()", ["let item"]),
        ("class Store {}\nstruct Item { let f: () -> Void }\nlet item: Item = { Item(Store()) }()", ["let item"]),
        ("class Store {}\nlet item: any Sendable = { Store() }()", ["let item"]),
    ])
    func `an object of a class that the app defines is reported if all sessions share the object`(
        code: String, found: [String]
    ) throws {
        #expect(try names("import UIKit\n\(code)") == found)
    }

    @Test(arguments: [
        ("Container.shared.resolve()", ["Container.shared"]),
        ("let c = Container.sharedInstance", ["Container.sharedInstance"]),
        ("Cache.default.clear()", ["Cache.default"]), ("Swinject.Container.shared", ["Container.shared"]),
        ("style = Style.default", []), ("Shop.Cart.shared", []), ("UIApplication.shared", []),
        ("FileManager.default.remove(a)", []), ("URLSession.shared", ["URLSession.shared"]), ("container.shared", []),
        ("Own.shared.run()", []), ("Container.shared // usher:allow", []),
    ])
    func `a singleton of a library is reported`(code: String, found: [String]) throws {
        let own = "import UIKit\nimport Swinject\nstruct Own {}\nfunc f() {\n\(code)\n}"
        #expect(try names(own) == found)
        let uses = try uses("import UIKit\nstruct Own {}\nfunc f() {\n\(code)\n}")
        #expect(uses.map(\.name) == found.filter { $0.hasPrefix("URL") })
    }

    @Test func `for a library's singleton, the suggested replacement creates one object per session`() throws {
        let remedy = try #require(uses("import Swinject\nfunc f() { Container.shared.resolve() }").first?.remedy)
        #expect(remedy.contains("`UIKitSession.current?.value(Container.self) { Container() }`"))
    }

    @Test func `an object that sessions share is reported even if another file declares the object's class`() throws {
        let store = try SwiftSource(Array("class Store {}".utf8))
        let shop = try SwiftSource(Array("enum Shop { static let store = Store() }".utf8))
        #expect(GlobalUseSearch(shop).uses() == [])
        let uses = GlobalUseSearch(shop, of: AppDeclarations(in: [store, shop])).uses()
        #expect(uses.map(\.name) == ["static let store"])
    }

    @Test(arguments: [
        ("let f = DateFormatter()", ["DateFormatter()"]), ("let f = NumberFormatter()", ["NumberFormatter()"]),
        ("let f = DateFormatter()\nf.locale = .current", ["DateFormatter()"]),
        ("let f = DateFormatter()\nf.locale = locale\nf.timeZone = zone", []),
        ("let f: NumberFormatter = {\n    let f = NumberFormatter()\n    f.locale = .current\n    return f\n}()", []),
        ("let f = NumberFormatter()\ng.locale = .current", ["NumberFormatter()"]),
        ("let f = NumberFormatter()\nif f.locale == .current {}", ["NumberFormatter()"]),
        ("let c = Calendar(identifier: .gregorian)", ["Calendar(identifier:)"]),
        ("var c = Calendar(identifier: .gregorian)\nc.timeZone = .gmt", []),
        ("date.formatted()", ["date.formatted"]), ("price.formatted(.number)", ["price.formatted"]),
        ("f().formatted(date: .long, time: .omitted)", ["formatted"]),
        ("price.formatted(.number.locale(.current))", []), ("date.formatted(.iso8601)", []),
        ("date.formatted(Date.FormatStyle(locale: locale, timeZone: zone))", []),
        ("price.formatted(style)", []), ("price.formatted(Self.style)", []),
        ("price.formatted(Date.FormatStyle())", ["price.formatted"]),
        ("func formatted() -> String {}", []), ("let c: Calendar", []), ("formatted(date)", []),
    ])
    func `formatting that depends on the machine's language or time zone is reported`(code: String, found: [String])
        throws
    {
        #expect(try names("import UIKit\nfunc f() {\n\(code)\n}") == found)
    }

    @Test(arguments: [
        ("class A {\nlet f = NumberFormatter()\ninit() { f.locale = .current }\n}", []),
        ("class A {\ninit() { self.f.locale = .current }\nlet f = NumberFormatter()\n}", []),
        ("class A {\nlet f = NumberFormatter()\ninit() {}\n}", ["NumberFormatter()"]),
        (
            "class A {\nfunc a() {\nlet f = NumberFormatter()\nset(f)\n}\nfunc set(_ g: NumberFormatter) { g.locale = l }\n}",
            []
        ),
        (
            "class A {\nfunc a() {\nlet f = NumberFormatter()\nset(up: f)\n}\nfunc set(up g: Formatter) { g.locale = l }\n}",
            []
        ),
        (
            "class A {\nfunc a() {\nlet f = NumberFormatter()\nshow(f)\n}\nfunc show(_ g: Formatter) {}\n}",
            ["NumberFormatter()"]
        ),
        ("class A {\nfunc a() { let f = NumberFormatter() }\nfunc b() { f.locale = l }\n}", ["NumberFormatter()"]),
    ])
    func `a formatter is reported unless its owner's initializer or a method that receives it sets it up`(
        code: String, found: [String]
    ) throws {
        #expect(try names("import UIKit\n\(code)") == found)
    }

    @Test func `if the app declares a method named formatted, its uses are not reported`() throws {
        #expect(try names("extension Price { func formatted() -> String { text } }\nlet a = price.formatted()") == [])
    }

    @Test func `a name that is qualified with Foundation is reported`() throws {
        let uses = try uses("import UIKit\nlet a = Foundation.UserDefaults.standard")
        #expect(uses.map(\.name) == ["UserDefaults.standard"])
        #expect(uses.first?.remedy.contains("the code names the module before UserDefaults") == true)
    }

    @Test func `a comment can allow the uses in its own line or in the next line`() throws {
        let source = """
            let a = Date() // usher:allow in an effect
            let b = Date()
            // usher:allow
            let c = Date()
            let d = Date()
            """
        #expect(try uses(source).map(\.line) == [2, 5])
    }

    @Test func `each use is reported with its position and a replacement`() throws {
        let use = try #require(try uses("import Foundation\n\n    send(UUID())").first)
        #expect((use.line, use.column) == (3, 10))
        #expect(use.remedy.contains("random"))
    }

    private func uses(_ source: String) throws -> [GlobalUse] {
        GlobalUseSearch(try SwiftSource(Array(source.utf8))).uses()
    }

    private func names(_ source: String) throws -> [String] { try uses(source).map(\.name) }
}
