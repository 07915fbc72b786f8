import Testing
import UsherAuthoring

@Suite("Uses of what is the process's")
struct GlobalUseTests {
    @Test(arguments: [
        "UserDefaults.standard", "NotificationCenter.default", "Locale.current", "Locale.autoupdatingCurrent",
        "TimeZone.current", "DispatchQueue.main", "DispatchQueue.global", "DispatchTime.now", "RunLoop.main",
        "Timer.scheduledTimer", "Task.detached",
    ])
    func `what the module has for each session is found where it is not imported`(name: String) throws {
        #expect(try names("import Foundation\nlet a = \(name)") == [name])
        #expect(try names("import RxSwift\nlet a = \(name)") == [name])
        #expect(try names("import UIKit\nlet a = \(name)") == [])
    }

    @Test(arguments: [
        ("UserDefaults.standard", false), ("NotificationCenter.default", false), ("Locale.current", false),
        ("DispatchQueue.main", true), ("RunLoop.main", true), ("Timer.scheduledTimer", true),
    ])
    func `what the compiler takes from Foundation, where that is imported beside the module, is found`(
        name: String, isFound: Bool
    ) throws {
        let uses = try uses("import UIKit\nimport Foundation\nlet a = \(name)")
        #expect(uses.map(\.name) == (isFound ? [name] : []))
        #expect(uses.allSatisfy { $0.remedy.contains("`import UIKit` alone") })
    }

    @Test(arguments: [
        "Date()", "Date.now", "Date(timeIntervalSinceNow:)", "UUID()", "Calendar.current", "HTTPCookieStorage.shared",
        "URLSession.shared", "SystemRandomNumberGenerator()", "ContinuousClock()", "ContinuousClock.now",
        "CFAbsoluteTimeGetCurrent()", "arc4random()",
    ])
    func `what no module can replace is found everywhere`(name: String) throws {
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
    func `other ways to say it are found, too`(code: String, found: [String]) throws {
        #expect(try names("import Foundation\n\(code)") == found)
    }

    @Test(arguments: [
        "let d = Date(timeIntervalSince1970: 0)", "// Date()", #"let s = "Date()""#, "/* UUID() */", "My.Date()",
        "struct Date {}", "func Date() {}", "Int.random(in: 1...6, using: &random)", "a.shuffled(using: &random)",
        "case UUID(String)", "let f: (Date) -> Void", "try await Task.sleep(for: .seconds(1))", "var date: Date",
        "Locale(identifier: \"en\")", "Timer.self", "if Date == .self {}", "class Task {}",
        "static var name: String { \"a\" }", "static let limit = 3", "static func shared() {}",
        "@TaskLocal static var depth = 0", "extension Task {}", "var task: Task<Void, Never>?",
    ])
    func `what is no such use is not found`(code: String) throws {
        #expect(try names("import Foundation\n\(code)") == [])
    }

    @Test func `the module's name before it says that it is Foundation's`() throws {
        let uses = try uses("import UIKit\nlet a = Foundation.UserDefaults.standard")
        #expect(uses.map(\.name) == ["UserDefaults.standard"])
        #expect(uses.first?.remedy.contains("named as Foundation's") == true)
    }

    @Test func `a comment allows what is in its line, or in the next`() throws {
        let source = """
            let a = Date() // usher:allow in an effect
            let b = Date()
            // usher:allow
            let c = Date()
            let d = Date()
            """
        #expect(try uses(source).map(\.line) == [2, 5])
    }

    @Test func `each use is told with its place and what to write instead`() throws {
        let use = try #require(try uses("import Foundation\n\n    send(UUID())").first)
        #expect((use.line, use.column) == (3, 10))
        #expect(use.remedy.contains("random"))
    }

    private func uses(_ source: String) throws -> [GlobalUse] {
        GlobalUseSearch(try SwiftSource(Array(source.utf8))).uses()
    }

    private func names(_ source: String) throws -> [String] { try uses(source).map(\.name) }
}
