import Foundation
import Programs
import Testing
import UsherAuthoring

@Suite("Copies without Objective-C", .timeLimit(.minutes(2)))
struct LinuxCopyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file and lines of its copy; the file's other lines stay as they are.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let original: String
        /// The lines of the copy that differ, by their numbers from 1.
        let changes: [Int: String]
    }

    @Test(arguments: samples)
    func `a copy has the same lines as the original, except the lines with Objective-C`(sample: Sample) throws {
        let copy = try copies(["A.swift": sample.original])["A.swift"]
        #expect(copy?.faults == [])
        var lines = sample.original.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (number, line) in sample.changes { lines[number - 1] = line }
        lines.insert("#sourceLocation(file: \"\(folder("A.swift"))\", line: 1)", at: 0)
        #expect(copy.map { String(decoding: $0.contents, as: UTF8.self) } == lines.joined(separator: "\n"))
    }

    @Test(arguments: ["5", "6"])
    func `the copies compile against the module in both language modes`(mode: String) throws {
        let originals = Dictionary(
            uniqueKeysWithValues: Self.samples.enumerated().map { ("Sample\($0).swift", $1.original) })
        let copies = try copies(originals)
        for (name, copy) in copies { try folder.write(copy.contents, to: "Copy\(name)") }
        let end = try Program.run(
            Self.compiler + ["-swift-version", mode] + copies.keys.sorted().map { folder("Copy\($0)") },
            errors: .together)
        #expect(end.status == 0, "\(end.output)")
    }

    @Test func `the compiler's messages about a copy name the original and its line`() throws {
        // The directive cannot express a quotation mark, so the messages name the copy, and the line.
        for (name, named) in [("A b.swift", "A b.swift"), ("A \"b\".swift", "Copy.swift")] {
            let copies = try copies([name: "import UIKit\nclass A {\n@objc func f() { let a: Int = \"\" }\n}"])
            let copy = try #require(copies[name])
            try folder.write(copy.contents, to: "Copy.swift")
            let end = try Program.run(Self.compiler + [folder("Copy.swift")], errors: .together)
            #expect(end.status != 0)
            #expect(end.output.contains("\(folder(named)):3:"), "\(end.output)")
        }
    }

    @Test(arguments: [
        ("class A {\n  func f() { g(#selector(getter: title)) }\n}", "2:16", "write a method, and name it"),
        ("func f() { g(#selector(save)) }", "1:14", "the class of save is not known here"),
        ("class A { func f() { g(#selector(model.save)) } }", "1:24", "the type of model is not known here"),
        ("class A { func f() { g(#selector(self.a.b.save(_:))) } }", "1:24", "#selector(Type.save)"),
        ("class A { func f() { g(#selector((save))) } }", "1:24", "#selector is not understood"),
        ("class A { func f() { g(#selector(save(1))) } }", "1:24", "#selector is not understood"),
        ("class A { func f() { g(#selector()) } }", "1:24", "#selector is not understood"),
        ("@objc protocol P {\n  @objc optional func f()\n}", "2:9", "an extension implements"),
        ("class A {\n func f() { switch b { case #selector(copy(_:)): c } } }", "2:29", "compare with `==`"),
        ("let a = #keyPath(A.b)", "1:9", "write a key path"), ("let a = #selector(b", "1:9", "#selector has no end"),
    ])
    func `code without a counterpart is reported with its place and with what to write instead`(
        code: String, place: String, words: String
    ) throws {
        let copy = try #require(try copies(["A.swift": code])["A.swift"])
        #expect(copy.faults.count == 1)
        let fault = try #require(copy.faults.first)
        #expect(fault.description.hasPrefix("\(folder("A.swift")):\(place): error: "), "\(fault)")
        #expect(fault.text.contains(words), "\(fault)")
    }

    @Test func `each selector in the pattern of a switch case is reported`() throws {
        let code =
            "class A { func f() { switch b { case #selector(c), #selector(d(_:)): g(#selector(f), #selector(f)) } } }"
        #expect(try copies(["A.swift": code])["A.swift"]?.faults.map(\.column) == [38, 52])
    }

    @Test func `in a selector, the type of a property is known even if another file declares the property`() throws {
        let copies = try copies([
            "A.swift": "class A { var model: Model!\nweak var other: (any Other)? }",
            "B.swift": "extension A {\nfunc f() { g(#selector(model.save), #selector(self.other?.close(_:))) } }",
        ])
        let copy = try #require(copies["B.swift"])
        #expect(
            copy.faults.map(\.text) == [
                "the type of self.other is not known here: write the class, #selector(Type.close)"
            ])
        #expect(String(decoding: copy.contents, as: UTF8.self).contains("(target: Model) in target.save"))
    }

    @Test func `a file in the folder is copied only if the file is listed`() throws {
        try folder.write(Array("class A {".utf8), to: "A.swift")
        try folder.write(Array("class B { \"".utf8), to: "B.swift")
        let copies = try SourceFiles(folder.path, files: ["A.swift"]).linuxCopies()
        #expect(copies.keys.sorted() == [folder("A.swift")])
    }

    @Test func `source that does not compile does not crash the tool`() throws {
        let code = Array(Self.samples.map(\.original).joined().utf8)
        for count in stride(from: 0, to: code.count, by: 3) {
            try folder.write(Array(code[..<count]), to: "A.swift")
            _ = try? SourceFiles(folder.path).linuxCopies()
        }
    }

    @Test func `the tool writes changed copies, keeps unchanged copies, and writes no copy if there is a fault`() throws
    {
        let tool = "\(Program.products)/UsherSelectorsTool"
        try #require(try Program.run(["mkdir", "-p", folder("in/Sub")]).status == 0)
        try folder.write(Array("class A { @objc func f() {} }".utf8), to: "in/Sub/A.swift")
        try folder.write(Array("class B {}".utf8), to: "in/B.swift")
        let command = [tool, folder("out"), folder("in"), "Sub/A.swift", "B.swift"]
        #expect(try Program.run(command, errors: .together).status == 0)
        let copy = try String(contentsOfFile: folder("out/Sub/A.linux.swift"), encoding: .utf8)
        #expect(
            copy == "#sourceLocation(file: \"\(folder("in/Sub/A.swift"))\", line: 1)\nclass A {       func f() {} }")
        let written = try times()
        try folder.write(Array("class B { @objc func g() {} }".utf8), to: "in/B.swift")
        #expect(try Program.run(command, errors: .together).status == 0)
        #expect(try times()[0] == written[0])
        #expect(try times()[1] > written[1])
        #expect(
            try String(contentsOfFile: folder("out/B.linux.swift"), encoding: .utf8).contains("class B {       func"))
        try folder.write(Array("let a = #keyPath(b)".utf8), to: "in/B.swift")
        let end = try Program.run(command, errors: .together)
        #expect(end.status == 1)
        #expect(end.output.contains("\(folder("in/B.swift")):1:9: error: #keyPath"))
        #expect(try String(contentsOfFile: folder("out/B.linux.swift"), encoding: .utf8).contains("func g()"))
        let missing = try Program.run([tool, folder("out"), folder("in"), "C.swift"], errors: .together)
        #expect(missing.status == 1)
        #expect(missing.output.contains("C.swift"))
        #expect(try Program.run([tool], errors: .together).output.contains("usage: UsherSelectorsTool"))
    }

    /// The times at which the copies of A and B were written.
    private func times() throws -> [Date] {
        try ["out/Sub/A.linux.swift", "out/B.linux.swift"].map {
            try #require(try FileManager.default.attributesOfItem(atPath: folder($0))[.modificationDate] as? Date)
        }
    }

    private func copies(_ files: [String: String]) throws -> [String: LinuxCopy] {
        for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
        let copies = try SourceFiles(folder.path, files: Array(files.keys)).linuxCopies()
        return Dictionary(
            uniqueKeysWithValues: copies.map { (String($0.key.dropFirst(folder.path.count + 1)), $0.value) })
    }

    private static var compiler: [String] {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let headers = ["CBytes", "CJemalloc", "CProcess"].flatMap { ["-I", "\(root)/Sources/\($0)"] }
        return [
            "swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors", "-I", "\(Program.products)/Modules",
        ] + headers
    }
}

extension LinuxCopyTests {
    static let samples = [
        Sample(
            testDescription: "attributes",
            original: """
                import UIKit
                @objc(Attributes) @objcMembers
                class Attributes: NSObject {
                    @IBOutlet weak var one: UIView?
                    @IBInspectable @objc dynamic var two = 2
                    @objc(three:
                    four:) func three(_ a: Int, four: Int) {}
                    @nonobjc func five() {}
                    @objc enum Kind: Int { case six }
                    @MainActor @objc static func seven() {}
                }
                """,
            changes: [
                2: "                              ", 4: "              weak var one: UIView?",
                5: "                         dynamic var two = 2", 6: "     ", 7: " func three(_ a: Int, four: Int) {}",
                8: "             func five() {}", 9: "          enum Kind: Int { case six }",
                10: "    @MainActor       static func seven() {}",
            ]),
        Sample(
            testDescription: "protocols of classes",
            original: """
                import UIKit
                @objc protocol Plain { func a() }
                @objc public protocol Refined: Sendable { func b() }
                @objc protocol Bound: AnyObject { @objc func c() }
                @objc protocol `Protocol` {}
                final class Holder { weak var plain: (any Plain)? }
                """,
            changes: [
                2: "      protocol Plain : AnyObject { func a() }",
                3: "      public protocol Refined: AnyObject, Sendable { func b() }",
                4: "      protocol Bound: AnyObject {       func c() }", 5: "      protocol `Protocol` : AnyObject {}",
            ]),
        Sample(
            testDescription: "owners of methods",
            original: """
                import UIKit
                class Owner: UIViewController {
                    let helper: Helper? = nil
                    lazy var item = UIBarButtonItem(title: "", style: .plain, target: self, action: #selector(save))
                    private func use() {
                        let all = [#selector(save), #selector(self.save), #selector(Self.save), #selector(super.viewDidLoad)]
                        let named = #selector(Owner.send(_:)), others = #selector(helper?.help), kin = #selector(self.helper!.help)
                        if item.action == #selector(save) { print(all, named, others, kin) }
                        switch named { case others: break; default: break }
                        print("\\(#selector(save)) #selector(save)") // #selector(save)
                        UIButton().addTarget(
                            self, action: #selector(
                                // The sender is the button.
                                Owner.both(_:for:)
                            ), for: .touchUpInside)
                        _ = #selector(Nested.inner), #selector(UIView.endEditing)
                    }
                    @objc func save() {}
                    @objc private func send(_ sender: Any?) {}
                    @objc func both(_ sender: UIButton, for event: AnyObject?) -> Bool { true }
                    class Nested: NSObject { @objc func inner() { print(#selector(inner)) } }
                    class Helper: NSObject { @objc func help() {} }
                }
                """.replacing("), #selector(UIView.endEditing)", with: ")\n        _ = #selector(UIView.endEditing)"),
            changes: [
                4:
                    #"    lazy var item = UIBarButtonItem(title: "", style: .plain, target: self, action: Selector("save", { (target: Owner) in target.save }))"#,
                6:
                    #"        let all = [Selector("save", { (target: Owner) in target.save }), Selector("save", { (target: Owner) in target.save }), Selector("save", { (target: Owner) in target.save }), Selector("viewDidLoad", { (target: Owner) in target.viewDidLoad })]"#,
                7:
                    #"        let named = Selector("send", { (target: Owner) in target.send(_:) }), others = Selector("help", { (target: Helper) in target.help }), kin = Selector("help", { (target: Helper) in target.help })"#,
                8:
                    #"        if item.action == Selector("save", { (target: Owner) in target.save }) { print(all, named, others, kin) }"#,
                10:
                    #"        print("\(Selector("save", { (target: Owner) in target.save })) #selector(save)") // #selector(save)"#,
                12: #"            self, action: Selector("both", { (target: Owner) in target.both(_:for:) })"#,
                13: "", 14: "", 15: ", for: .touchUpInside)",
                16: #"        _ = Selector("inner", { (target: Nested) in target.inner })"#,
                17: #"        _ = Selector("endEditing", { (target: UIView) in target.endEditing })"#,
                19: "          func save() {}", 20: "          private func send(_ sender: Any?) {}",
                21: "          func both(_ sender: UIButton, for event: AnyObject?) -> Bool { true }",
                22:
                    #"    class Nested: NSObject {       func inner() { print(Selector("inner", { (target: Nested) in target.inner })) } }"#,
                23: "    class Helper: NSObject {       func help() {} }",
            ]),
        Sample(
            testDescription: "generic classes, extensions and overloads",
            original: """
                import UIKit
                class Base<Model: AnyObject>: UIViewController {
                    @objc func done() { print(#selector(done)) }
                    @objc func pick() {}
                    @objc func pick(_ sender: UIButton) { _ = [#selector(pick as () -> Void), #selector(Base.pick as (UIButton) -> Void)] }
                    class Cell: NSObject {}
                    enum Kind { static var action: Selector { #selector(UIView.removeFromSuperview) } }
                }
                extension UIViewController { @objc func hideKeyboard() { print(#selector(hideKeyboard)) } }
                final class Derived: Base<NSObject> { let action = #selector(done) }
                extension Derived.Inner { @objc func `default`() { print(#selector(`default`)) } }
                extension Derived { class Inner {} }
                fileprivate extension Selector { static let done = #selector(Derived.done) }
                """,
            changes: [
                3: #"          func done() { print(Selector("done", { (target: Base) in target.done })) }"#,
                4: "          func pick() {}",
                5:
                    #"          func pick(_ sender: UIButton) { _ = [Selector("pick", { (target: Base) in target.pick as () -> Void }), Selector("pick", { (target: Base) in target.pick as (UIButton) -> Void })] }"#,
                7:
                    #"    enum Kind { static var action: Selector { Selector("removeFromSuperview", { (target: UIView) in target.removeFromSuperview }) } }"#,
                9:
                    #"extension UIViewController {       func hideKeyboard() { print(Selector("hideKeyboard", { (target: UIViewController) in target.hideKeyboard })) } }"#,
                10:
                    #"final class Derived: Base<NSObject> { let action = Selector("done", { (target: Derived) in target.done }) }"#,
                11:
                    #"extension Derived.Inner {       func `default`() { print(Selector("default", { (target: Derived.Inner) in target.default })) } }"#,
                13:
                    #"fileprivate extension Selector { static let done = Selector("done", { (target: Derived) in target.done }) }"#,
            ]),
        Sample(
            testDescription: "branches for other systems",
            original: """
                import UIKit
                #if os(iOS)
                @objc class Phone { let action = #selector(Unknown.thing) }
                #endif
                let raw = #"#selector(a) @objc"#
                """,
            changes: [:]),
    ]
}
