import Testing
import UIKit
import Usher
import UsherTesting

/// An app with one controller, which shows the device, and pushes a controller that older clients cannot draw.
private enum DeviceApp: App {
    struct Options: Codable {
        var isPad = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator {
        var settings = UIKitSettings()
        settings.region.locale = Locale(identifier: "de_DE")
        if options.isPad { settings.idiom = .pad }
        return UIKitCoordinator(settings: settings) { window in
            window.rootViewController = UINavigationController(rootViewController: DeviceViewController())
            return nil
        }
    }
}

private struct DeviceScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable { case push, pushIfShown, pushOld }

    let language: String?
    let region: String?
    let hours: Int
    let timeZone: String
    let model: String
    let system: String
    let client: String
}

private struct MapScreen: Screen, Equatable {
    static let version = 2
    enum Event: Codable, CaseIterable { case zoom }

    let places = 3
    var hasFallback = false

    func fallback(for client: Client) -> (any Screen<Event>)? { hasFallback ? ListScreen(count: places) : nil }
}

private struct ListScreen: Screen {
    typealias Event = MapScreen.Event
    let count: Int
}

private final class DeviceViewController: UIViewController, ScreenController {
    var content: DeviceScreen {
        DeviceScreen(
            language: Locale.current.language.languageCode?.identifier,
            region: Locale.current.region?.identifier, hours: TimeZone.current.secondsFromGMT() / 3_600,
            timeZone: TimeZone.current.identifier, model: UIDevice.current.model, system: UIDevice.current.systemName,
            client: "\(UIKitSession.current?.client ?? Client())")
    }

    func handle(_ event: DeviceScreen.Event) {
        let map = MapViewController()
        switch event {
        case .push: navigationController?.pushViewController(map, animated: false)
        case .pushIfShown:
            guard UIKitSession.current?.client.shows(MapScreen.self) == true else { return }
            navigationController?.pushViewController(map, animated: false)
        case .pushOld:
            map.hasFallback = true
            navigationController?.pushViewController(map, animated: false)
        }
    }
}

private final class MapViewController: UIViewController, ScreenController {
    var hasFallback = false
    private(set) var isZoomed = false
    var content: MapScreen { MapScreen(hasFallback: hasFallback) }

    func handle(_ event: MapScreen.Event) { isZoomed = true }
}

@Suite("The client of a UIKit app's session")
struct ClientTests {
    @Test(arguments: [
        (Client(), "de", "DE", 0, "GMT", "iPhone", "iOS"),
        (Client(locale: "ko-KR", timeZone: "Asia/Seoul"), "ko", "KR", 9, "Asia/Seoul", "iPhone", "iOS"),
        (Client(name: "iPadOS", locale: "es-419"), "es", "419", 0, "GMT", "iPad", "iPadOS"),
        (Client(name: "web", timeZone: "Etc/GMT+3"), "de", "DE", -3, "Etc/GMT+3", "iPhone", "iOS"),
    ])
    func `the app gets the language, time zone and device that the client names`(
        client: Client, language: String, region: String, hours: Int, timeZone: String, model: String, system: String
    ) throws {
        let app = try AppUnderTest(DeviceApp.self, client: client)
        app.expectState(
            #"{"language":"\#(language)","region":"\#(region)","hours":\#(hours),"timeZone":"\#(timeZone)","#
                + #""model":"\#(model)","system":"\#(system)","client":"\#(client)"}"#)
    }

    @Test(arguments: [("ios", "iPad", "iOS"), ("iphone", "iPhone", "iOS"), ("web", "iPad", "iOS")])
    func `the app gets the device in its own settings if the client names no device`(
        name: String, model: String, system: String
    ) throws {
        let app = try AppUnderTest(DeviceApp.self, options: .init(isPad: true), client: Client(name: name))
        #expect(app.visible?.state.contains(#""model":"\#(model)","system":"\#(system)""#) == true)
    }

    @Test func `a controller that the client cannot draw is refused, or its fallback is shown`() throws {
        let app = try AppUnderTest(DeviceApp.self, client: Client(screens: ["*": 1]))
        app.expectRefusal(.undrawable, naming: "\"map\" of version 2") { $0.send("push") }
        app.send("pushIfShown")
        #expect(app.screens.count == 1)
        app.send("pushOld")
        #expect(app.visible?.name == "list")
        app.expectState(#"{"count":3}"#)
        app.send("zoom")
        app.back()
        #expect(app.screens.count == 1)
    }
}
