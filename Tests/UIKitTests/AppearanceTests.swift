import Testing
import UIKit
import UsherTesting

/// The table of life cycle and delegate calls: each row says where one can read that UIKit does so.
@Suite
struct AppearanceTests {
    @Test(arguments: navigation + modals + tabs)
    func `a transition makes the calls that UIKit makes, in its order`(_ row: Row) throws {
        let app = try AppUnderTest(RowApp.self, options: .init(start: row.start))
        for step in row.before { app.take(step) }
        let before = app.calls.count
        app.take(row.input)
        #expect(Array(app.calls.dropFirst(before)) == row.calls, "\(row.source)")
    }

    /// Navigation, A at the root.
    static let navigation = [
        Row(
            name: "push", input: .send(.push("B")),
            calls: [
                "B willMove parent", "B viewDidLoad", "A viewWillDisappear", "B viewWillAppear moving",
                "B viewIsAppearing", "willShow B", "A viewDidDisappear", "B viewDidAppear", "didShow B",
                "B didMove parent",
            ],
            source: "vastdevblog.vast.com/blog/2012/04/08/uiviewcontroller-life-cycle (order, delegate); "
                + "arm1.ru/en/blog/zhiznennyj-tsikl-uiviewcontroller (willMove, didMove)"),
        Row(
            name: "pop", before: [.send(.push("B"))], input: .send(.pop),
            calls: [
                "B willMove nil", "B viewWillDisappear moving", "A viewWillAppear", "A viewIsAppearing", "willShow A",
                "B viewDidDisappear", "A viewDidAppear", "didShow A without B", "B didMove nil",
            ], source: "readke.com/c/0Z41505102021.html; arm1.ru; bamboo-hero.com/entry/is-moving-to-from-parent"),
        Row(
            name: "swipe back", before: [.send(.push("B"))], input: .back,
            calls: [
                "B willMove nil", "B viewWillDisappear moving", "A viewWillAppear", "A viewIsAppearing", "willShow A",
                "B viewDidDisappear", "A viewDidAppear", "didShow A without B", "B didMove nil",
            ], source: "stackoverflow.com/questions/18927878: a completed swipe is like a tap on the back button"),
        Row(
            name: "cancelled swipe", before: [.send(.push("B"))], input: .flow(.cancelledPop),
            calls: [
                "B viewWillDisappear moving", "A viewWillAppear", "A viewIsAppearing", "willShow A",
                "A viewWillDisappear", "A viewDidDisappear", "B viewWillAppear", "B viewIsAppearing", "B viewDidAppear",
            ], source: "wangling.me/2014/02/the-inconsistent-order-of-view-transition-events.html"),
        Row(
            name: "pop to the root", before: [.send(.push("B")), .send(.push("C"))], input: .send(.popToRoot),
            calls: [
                "B willMove nil", "C willMove nil", "C viewWillDisappear moving", "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "C viewDidDisappear", "A viewDidAppear", "didShow A without C",
                "B didMove nil", "C didMove nil",
            ], source: "as for pop: one that is covered neither appears nor disappears"),
        Row(
            name: "set another top", before: [.send(.push("B"))], input: .send(.set(["A", "C"])),
            calls: [
                "B willMove nil", "C willMove parent", "C viewDidLoad", "B viewWillDisappear moving",
                "C viewWillAppear moving", "C viewIsAppearing", "willShow C", "B viewDidDisappear", "C viewDidAppear",
                "didShow C without B", "B didMove nil", "C didMove parent",
            ], source: "Apple, setViewControllers(_:animated:): the change is that of a push or a pop"),
        Row(
            name: "set what lies below", before: [.send(.push("B")), .send(.push("C"))],
            input: .send(.set(["A", "C"])),
            calls: ["B willMove nil", "B didMove nil"],
            source: "Apple, setViewControllers(_:animated:): the top one stays, and there is no transition"),
        Row(
            name: "push two at once", input: .send(.pushTwo("B", "C")),
            calls: [
                "B willMove parent", "C willMove parent", "C viewDidLoad", "A viewWillDisappear",
                "C viewWillAppear moving", "C viewIsAppearing", "willShow C", "A viewDidDisappear", "C viewDidAppear",
                "didShow C", "B didMove parent", "C didMove parent",
            ], source: "Apple, pushViewController(_:animated:): the one on top is displayed; one transition a turn"),
        Row(
            name: "root of the window", input: .send(.replaceRoot("Z")),
            calls: [
                "Z willMove parent", "Z viewDidLoad", "A viewWillDisappear", "Z viewWillAppear moving",
                "Z viewIsAppearing", "willShow Z", "Z viewDidAppear", "A viewDidDisappear", "didShow Z",
                "Z didMove parent",
            ], source: "not measured: as for a modal that covers all"),
    ]

    /// Modals over A.
    static let modals = [
        Row(
            name: "present full screen", input: .send(.present("B", style: "fullScreen")),
            calls: [
                "B viewDidLoad", "A viewWillDisappear", "B viewWillAppear presented", "B viewIsAppearing",
                "B viewDidAppear", "A viewDidDisappear", "presented B",
            ],
            source:
                "velog.io/@rudin_/iOS-LifeCycle-in-Modal; Apple, present(_:animated:completion:): after viewDidAppear"),
        Row(
            name: "dismiss full screen", before: [.send(.present("B", style: "fullScreen"))],
            input: .send(.dismissWithCompletion),
            calls: [
                "B viewWillDisappear dismissed", "A viewWillAppear", "A viewIsAppearing", "A viewDidAppear",
                "B viewDidDisappear", "dismissed",
            ], source: "velog.io/@rudin_/iOS-LifeCycle-in-Modal; Apple, dismiss(animated:completion:)"),
        Row(
            name: "present a sheet", input: .send(.present("B", style: "automatic")),
            calls: [
                "B viewDidLoad", "B viewWillAppear presented", "B viewIsAppearing", "B viewDidAppear", "presented B",
            ], source: "velog.io/@rudin_/iOS-LifeCycle-in-Modal: what is below a card stays"),
        Row(
            name: "pull a sheet down", before: [.send(.present("B", style: "automatic"))], input: .back,
            calls: ["B viewWillDisappear dismissed", "B viewDidDisappear"],
            source: "velog.io/@rudin_/iOS-LifeCycle-in-Modal"),
        Row(
            name: "pull a watched sheet down", before: [.send(.presentWatched("B"))], input: .back,
            calls: [
                "shouldDismiss", "willDismiss", "B viewWillDisappear dismissed", "B viewDidDisappear", "didDismiss",
            ],
            source:
                "medium.com/better-programming/…-pagesheet-in-ios-13-4bbd1e3e1ec7: ShouldDismiss, WillDismiss, DidDismiss"
        ),
        Row(
            name: "pull a sheet down that may not go", before: [.send(.presentWatched("B")), .send(.refuse)],
            input: .back, calls: ["shouldDismiss", "didAttemptToDismiss"],
            source: "Apple, presentationControllerDidAttemptToDismiss(_:)"),
        Row(
            name: "dismiss a watched sheet", before: [.send(.presentWatched("B"))], input: .send(.dismiss),
            calls: ["B viewWillDisappear dismissed", "B viewDidDisappear"],
            source: "Apple, presentationControllerDidDismiss(_:): not called for a dismissal by the app"),
        Row(
            name: "nested sheets, the lower one dismissed",
            before: [.send(.present("B", style: "automatic")), .send(.present("C", style: "automatic"))],
            input: .send(.dismissRoot),
            calls: [
                "B viewWillDisappear dismissed", "C viewWillDisappear dismissed", "B viewDidDisappear",
                "C viewDidDisappear",
            ], source: "Apple, dismiss(animated:completion:): with all above it"),
        Row(
            name: "push in a modal's navigation", before: [.send(.presentNavigation("B", style: "fullScreen"))],
            input: .send(.push("C")),
            calls: [
                "C willMove parent", "C viewDidLoad", "B viewWillDisappear", "C viewWillAppear moving",
                "C viewIsAppearing", "willShow C", "B viewDidDisappear", "C viewDidAppear", "didShow C",
                "C didMove parent",
            ], source: "as for push"),
        Row(
            name: "an alert", input: .send(.alert), calls: [],
            source: "an alert lies over what was there, which does not disappear"),
        Row(
            name: "an alert's action", before: [.send(.alert)], input: .tap("Yes"), calls: ["yes"],
            source: "Apple, UIAlertAction: the handler runs when the user selects it; after the alert has gone"),
        Row(
            name: "a tap beside an action sheet", before: [.send(.sheet)], input: .back, calls: ["no"],
            source: "Apple, UIAlertAction.Style.cancel: as if the cancel action were selected"),
    ]

    /// Tabs a and b, each a navigation.
    static let tabs = [
        Row(
            name: "select another tab", start: .tabs, input: .select("b"),
            calls: [
                "shouldSelect b", "didSelect b", "B viewDidLoad", "B viewWillAppear", "A viewWillDisappear",
                "B viewIsAppearing", "willShow B", "A viewDidDisappear", "B viewDidAppear", "didShow B",
            ], source: "pgzxc.github.io/posts/efa3afd7.html (order); Apple, tabBarController(_:didSelect:)"),
        Row(
            name: "select a tab again", start: .tabs, before: [.select("b")], input: .select("a"),
            calls: [
                "shouldSelect a", "didSelect a", "A viewWillAppear", "B viewWillDisappear", "A viewIsAppearing",
                "B viewDidDisappear", "A viewDidAppear",
            ], source: "pgzxc.github.io/posts/efa3afd7.html"),
        Row(
            name: "the delegate refuses a tab", start: .tabs, before: [.send(.refuse)], input: .select("b"),
            calls: ["shouldSelect b"], source: "Apple, tabBarController(_:shouldSelect:)"),
        Row(
            name: "the app selects a tab", start: .tabs, input: .send(.select(1)),
            calls: [
                "B viewDidLoad", "B viewWillAppear", "A viewWillDisappear", "B viewIsAppearing", "willShow B",
                "A viewDidDisappear", "B viewDidAppear", "didShow B",
            ], source: "Apple, tabBarController(_:didSelect:): only in response to user taps"),
        Row(
            name: "a tap on the selected tab", start: .tabs, before: [.send(.push("C"))], input: .select("a"),
            calls: [
                "shouldSelect a", "C willMove nil", "didSelect a", "C viewWillDisappear moving", "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "C viewDidDisappear", "A viewDidAppear", "didShow A without C",
                "C didMove nil",
            ], source: "Apple, tabBarController(_:didSelect:): also the controller that was selected"),
    ]
}
