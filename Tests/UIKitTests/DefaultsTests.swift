import Testing
import UIKit
import Usher
import UsherTesting

/// An app that stores values in a suite of defaults, and shows them.
private enum SuiteApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = SuiteViewController()
            return nil
        }
    }
}

private struct SuiteScreen: Screen, Equatable {
    enum Event: String, Codable, CaseIterable { case write, register, writeStandard, forget, forgetOther }

    let texts: [String]
}

private final class SuiteViewController: UIViewController, ScreenController {
    private var group: UserDefaults? { UserDefaults(suiteName: "group.shop") }

    var content: SuiteScreen {
        let all = [group, UserDefaults(suiteName: "group.other"), UserDefaults.standard, UserDefaults()]
        return SuiteScreen(texts: all.map { $0?.string(forKey: "name") ?? "-" })
    }

    func handle(_ event: SuiteScreen.Event) {
        switch event {
        case .write: group?.set("kim", forKey: "name")
        case .register: group?.register(defaults: ["name": "nobody"])
        case .writeStandard: UserDefaults().set("lee", forKey: "name")
        case .forget: UserDefaults.standard.removePersistentDomain(forName: "group.shop")
        case .forgetOther: UserDefaults.standard.removePersistentDomain(forName: "org.example.shop")
        }
    }
}

@Suite("UserDefaults with a suite name")
struct DefaultsTests {
    @Test func `all instances of a UserDefaults suite share their values within a session, but not between sessions`()
        throws
    {
        let first = try AppUnderTest(SuiteApp.self)
        let second = try AppUnderTest(SuiteApp.self)
        first.send("write")
        first.expectState(#"{"texts":["kim","-","-","-"]}"#)
        second.expectState(#"{"texts":["-","-","-","-"]}"#)
    }

    @Test func `a default value that is registered for a suite is visible in each instance of the suite`() throws {
        let app = try AppUnderTest(SuiteApp.self)
        app.send("register")
        app.expectState(#"{"texts":["nobody","-","-","-"]}"#)
        app.send("write")
        app.expectState(#"{"texts":["kim","-","-","-"]}"#)
    }

    @Test func `UserDefaults without a suite name has the same values as UserDefaults.standard`() throws {
        let app = try AppUnderTest(SuiteApp.self)
        app.send("writeStandard")
        app.expectState(#"{"texts":["-","-","lee","lee"]}"#)
    }

    @Test func `removing a suite by name deletes the suite's values, and an unknown name deletes nothing`() throws {
        let app = try AppUnderTest(SuiteApp.self)
        app.send("write")
        app.send("writeStandard")
        app.send("forget")
        app.expectState(#"{"texts":["-","-","lee","lee"]}"#)
        app.send("write")
        app.send("forgetOther")
        app.expectState(#"{"texts":["kim","-","lee","lee"]}"#)
    }
}
