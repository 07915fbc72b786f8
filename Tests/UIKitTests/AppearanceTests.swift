import Testing
import UIKit
import UsherTesting

/// Tests of the table of life cycle and delegate calls: each row has a source that shows UIKit's behaviour.
///
/// A controller's calls show when it leaves its container: it is not among the controllers any more when it is about to
/// disappear, and it has no parent when it has disappeared (`alone`), or when `didShow` is called. Apps use this to
/// finish their coordinators: stackoverflow.com/questions/1214965 (the stack in viewWillDisappear), and Apple,
/// navigationController, which is nil for a controller without a navigation controller.
@Suite
struct AppearanceTests {
    @Test(arguments: navigation + interrupted + modals + tabs)
    func `a transition calls the appearance methods in UIKit's order`(_ row: Row) throws {
        let app = try AppUnderTest(RowApp.self, options: .init(start: row.start))
        for step in row.before { app.take(step) }
        let before = app.calls.count
        app.take(row.input)
        #expect(Array(app.calls.dropFirst(before)) == row.calls, "\(row.source)")
    }

    /// Sources of several rows: logs of apps on a phone.
    private static let inconsistentOrder = "wangling.me/2014/02/the-inconsistent-order-of-view-transition-events.html"
    private static let lifeCycle = "arm1.ru/en/blog/zhiznennyj-tsikl-uiviewcontroller"
    private static let fullScreenModal = "velog.io/@rudin_/iOS-LifeCycle-in-Modal and jinnify.tistory.com/64"
    private static let cardModal = "velog.io/@rudin_/iOS-LifeCycle-in-Modal"
    private static let switchedTabs = "pgzxc.github.io/posts/efa3afd7.html"
    private static let withoutCoordinator =
        "Apple, UIViewControllerTransitionCoordinator: it lasts for the duration of the animation; "
        + "codemia.io, Completion handler for UINavigationController pushViewController: without animation there is none"
    private static let selectedTabs =
        "iphonedev.wiki/UITabBarController (_setSelectedViewController:) and juejin.cn/post/7588022226739183666"

    /// A navigation controller with the root A.
    static let navigation = [
        Row(
            name: "push", input: .send(.push("B")),
            calls: [
                "B willMove parent", "B viewDidLoad", "A viewWillDisappear", "B viewWillAppear moving",
                "B viewIsAppearing", "willShow B", "A viewDidDisappear", "B viewDidAppear", "didShow B",
                "B didMove parent",
            ],
            source: "\(inconsistentOrder); \(lifeCycle) (willMove, didMove); "
                + "UINavigationController.h: the delegate is called for a push, a pop, or a setting of the stack"),
        Row(
            name: "pop", before: [.send(.push("B"))], input: .send(.pop),
            calls: [
                "popViewController", "B willMove nil", "B viewWillDisappear moving", "A viewWillAppear",
                "A viewIsAppearing", "willShow A",
                "B viewDidDisappear moving, alone", "A viewDidAppear", "didShow A without B", "B didMove nil",
            ],
            source: "\(inconsistentOrder); readke.com/c/0Z41505102021.html; \(lifeCycle) (willMove, didMove); "
                + "Apple, isMovingFromParent"),
        Row(
            name: "swipe back", before: [.send(.push("B"))], input: .back,
            calls: [
                "popViewController", "B willMove nil", "B viewWillDisappear moving", "A viewWillAppear",
                "A viewIsAppearing", "willShow A",
                "B viewDidDisappear moving, alone", "A viewDidAppear", "didShow A without B", "B didMove nil",
            ],
            source: "stackoverflow.com/questions/18927878: completing a swipe is like tapping the back button; "
                + "\(inconsistentOrder): interactive or not; Apple, UINavigationBarDelegate: the navigation pops at a tap on the "
                + "back button"),
        Row(
            name: "cancelled swipe", before: [.send(.push("B"))], input: .flow(.cancelledPop),
            calls: [
                "B viewWillDisappear moving, in its stack", "A viewWillAppear", "A viewIsAppearing", "willShow A",
                "A viewWillDisappear", "A viewDidDisappear", "B viewWillAppear", "B viewIsAppearing", "B viewDidAppear",
            ],
            source: "\(inconsistentOrder): cancelled interactive popping; UIViewControllerTransitionCoordinator.h: "
                + "who was appearing gets viewWillDisappear, who was disappearing gets viewWillAppear; "
                + "no page has the stack meanwhile"),
        Row(
            name: "pop to the root", before: [.send(.push("B")), .send(.push("C"))], input: .send(.popToRoot),
            calls: [
                "B willMove nil", "C willMove nil", "C viewWillDisappear moving", "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "C viewDidDisappear moving, alone", "A viewDidAppear",
                "didShow A without C",
                "B didMove nil", "C didMove nil",
            ], source: "as for pop; one that is covered neither appears nor disappears: Apple, viewDidDisappear(_:)"),
        Row(
            name: "set another top", before: [.send(.push("B"))], input: .send(.set(["A", "C"])),
            calls: [
                "B willMove nil", "C willMove parent", "C viewDidLoad", "B viewWillDisappear moving",
                "C viewWillAppear moving", "C viewIsAppearing", "willShow C", "B viewDidDisappear moving, alone",
                "C viewDidAppear",
                "didShow C without B", "B didMove nil", "C didMove parent",
            ], source: "UINavigationController.h: a push or a pop, depending on where the new top was before"),
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
            ],
            source: "Apple, pushViewController(_:animated:): the one on top is displayed; one layout a turn of the loop"
        ),
        Row(
            name: "root of the window", input: .send(.replaceRoot("Z")),
            calls: [
                "Z willMove parent", "Z viewDidLoad", "A viewWillDisappear", "Z viewWillAppear moving",
                "Z viewIsAppearing", "willShow Z", "Z viewDidAppear", "A viewDidDisappear", "didShow Z",
                "Z didMove parent",
            ], source: "no page has it: as for a modal that covers all, \(fullScreenModal)"),
    ]

    /// A navigation controller whose delegate follows or interrupts a transition.
    static let interrupted = [
        Row(
            name: "push, its transition followed", input: .send(.pushAsking("B", animated: true)),
            calls: [
                "B willMove parent", "A coordinator true", "B viewDidLoad", "A viewWillDisappear",
                "B viewWillAppear moving", "B viewIsAppearing", "willShow B", "A viewDidDisappear", "B viewDidAppear",
                "didShow B", "B didMove parent", "completed 2",
            ],
            source: "Apple, transitionCoordinator: there while a transition is in progress; "
                + "stackoverflow.com/questions/12904410: a completion for pushViewController"),
        Row(
            name: "pop, its transition followed", before: [.send(.push("B"))], input: .send(.popAsking(animated: true)),
            calls: [
                "popViewController", "B willMove nil", "B coordinator true", "B viewWillDisappear moving",
                "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "B viewDidDisappear moving, alone", "A viewDidAppear",
                "didShow A without B",
                "B didMove nil", "completed 1",
            ], source: "as for push"),
        Row(
            name: "push without animation, its transition asked for", input: .send(.pushAsking("B", animated: false)),
            calls: [
                "B willMove parent", "A coordinator false", "B viewDidLoad", "A viewWillDisappear",
                "B viewWillAppear moving", "B viewIsAppearing", "willShow B", "A viewDidDisappear", "B viewDidAppear",
                "didShow B", "B didMove parent",
            ], source: withoutCoordinator),
        Row(
            name: "pop without animation, its transition asked for", before: [.send(.push("B"))],
            input: .send(.popAsking(animated: false)),
            calls: [
                "popViewController", "B willMove nil", "B coordinator false", "B viewWillDisappear moving",
                "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "B viewDidDisappear moving, alone", "A viewDidAppear", "didShow A",
                "B didMove nil",
            ], source: withoutCoordinator),
        Row(
            name: "pop in didShow", input: .send(.pushAndPop("B", at: .didShow, toRoot: false)),
            calls: [
                "B willMove parent", "B viewDidLoad", "A viewWillDisappear", "B viewWillAppear moving",
                "B viewIsAppearing", "willShow B", "A viewDidDisappear", "B viewDidAppear", "didShow B",
                "popViewController", "B willMove nil", "B didMove parent", "B viewWillDisappear moving",
                "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "B viewDidDisappear moving, alone", "A viewDidAppear",
                "didShow A without B",
                "B didMove nil",
            ], source: "a pop after a push, each as for itself"),
        Row(
            name: "pop to the root in didShow", before: [.send(.push("B"))],
            input: .send(.pushAndPop("C", at: .didShow, toRoot: true)),
            calls: [
                "C willMove parent", "C viewDidLoad", "B viewWillDisappear", "C viewWillAppear moving",
                "C viewIsAppearing", "willShow C", "B viewDidDisappear", "C viewDidAppear", "didShow C",
                "B willMove nil", "C willMove nil", "C didMove parent", "C viewWillDisappear moving",
                "A viewWillAppear", "A viewIsAppearing", "willShow A", "C viewDidDisappear moving, alone",
                "A viewDidAppear",
                "didShow A without C", "B didMove nil", "C didMove nil",
            ], source: "a pop after a push, each as for itself"),
        Row(
            name: "a column taken out", before: [.send(.split(primaryOnTop: false))], input: .send(.clearDetail),
            calls: [
                "S willMove nil", "P viewDidLoad", "S viewWillDisappear moving", "P viewWillAppear",
                "P viewIsAppearing", "S viewDidDisappear moving, alone", "P viewDidAppear", "S didMove nil",
            ], source: "as for pop"),
    ]

    /// Modals over A.
    static let modals = [
        Row(
            name: "present full screen", input: .send(.present("B", style: "fullScreen")),
            calls: [
                "B viewDidLoad", "A viewWillDisappear", "B viewWillAppear presented", "B viewIsAppearing",
                "B viewDidAppear", "A viewDidDisappear", "presented B",
            ],
            source: "\(fullScreenModal); Apple, present(_:animated:completion:): completion after viewDidAppear"),
        Row(
            name: "dismiss full screen", before: [.send(.present("B", style: "fullScreen"))],
            input: .send(.dismissWithCompletion),
            calls: [
                "B viewWillDisappear dismissed", "A viewWillAppear", "A viewIsAppearing", "A viewDidAppear",
                "B viewDidDisappear dismissed", "dismissed",
            ],
            source: "\(fullScreenModal); Apple, dismiss(animated:completion:): completion after viewDidDisappear"),
        Row(
            name: "present over full screen", input: .send(.present("B", style: "overFullScreen")),
            calls: [
                "B viewDidLoad", "B viewWillAppear presented", "B viewIsAppearing", "B viewDidAppear", "presented B",
            ], source: "betterhee.tistory.com/75: what is below stays in the hierarchy"),
        Row(
            name: "dismiss over full screen", before: [.send(.present("B", style: "overFullScreen"))],
            input: .send(.dismiss), calls: ["B viewWillDisappear dismissed", "B viewDidDisappear dismissed"],
            source: "betterhee.tistory.com/75"),
        Row(
            name: "present a sheet", input: .send(.present("B", style: "automatic")),
            calls: [
                "B viewDidLoad", "B viewWillAppear presented", "B viewIsAppearing", "B viewDidAppear", "presented B",
            ], source: "\(cardModal): what is below a card stays"),
        Row(
            name: "pull a sheet down", before: [.send(.present("B", style: "automatic"))], input: .back,
            calls: ["B viewWillDisappear dismissed", "B viewDidDisappear dismissed"],
            source: "\(cardModal): nothing is called below it"),
        Row(
            name: "pull a watched sheet down", before: [.send(.presentWatched("B"))], input: .back,
            calls: [
                "shouldDismiss", "willDismiss", "B viewWillDisappear dismissed", "B viewDidDisappear dismissed",
                "didDismiss",
            ],
            source:
                "Apple, UIAdaptivePresentationControllerDelegate: asked, told before and after, of the user's dismissal"
        ),
        Row(
            name: "pull a sheet down that may not go", before: [.send(.presentWatched("B")), .send(.refuse)],
            input: .back, calls: ["shouldDismiss", "didAttemptToDismiss"],
            source: "Apple, presentationControllerDidAttemptToDismiss(_:): where ShouldDismiss returned false"),
        Row(
            name: "pull a modal sheet down", before: [.send(.presentWatched("B")), .send(.beModal)], input: .back,
            calls: ["didAttemptToDismiss"],
            source: "Apple, presentationControllerDidAttemptToDismiss(_:): where isModalInPresentation is true"),
        Row(
            name: "pull a sheet down whose form has changes", before: [.send(.presentForm("B"))], input: .back,
            calls: ["didAttemptToDismiss"],
            source: "Apple, Disabling the Pull-Down Gesture for a Sheet: the content of the navigation is asked"),
        Row(
            name: "dismiss a watched sheet", before: [.send(.presentWatched("B"))], input: .send(.dismiss),
            calls: ["B viewWillDisappear dismissed", "B viewDidDisappear dismissed"],
            source:
                "Apple, presentationControllerWillDismiss(_:), …DidDismiss(_:): not called for the app's own dismissal"),
        Row(
            name: "nested modals, a second over the first", before: [.send(.present("B", style: "fullScreen"))],
            input: .send(.present("C", style: "fullScreen")),
            calls: [
                "C viewDidLoad", "B viewWillDisappear", "C viewWillAppear presented", "C viewIsAppearing",
                "C viewDidAppear", "B viewDidDisappear", "presented C",
            ], source: "\(fullScreenModal), of the one that presents"),
        Row(
            name: "nested modals, the upper one dismissed",
            before: [
                .send(.present("B", style: "fullScreen")), .send(.present("C", style: "fullScreen")),
            ], input: .send(.dismiss),
            calls: [
                "C viewWillDisappear dismissed", "B viewWillAppear", "B viewIsAppearing", "B viewDidAppear",
                "C viewDidDisappear dismissed",
            ], source: "\(fullScreenModal), of the one that presents"),
        Row(
            name: "nested sheets, the lower one dismissed",
            before: [.send(.present("B", style: "automatic")), .send(.present("C", style: "automatic"))],
            input: .send(.dismissRoot),
            calls: [
                "B viewWillDisappear dismissed", "C viewWillDisappear dismissed", "B viewDidDisappear dismissed",
                "C viewDidDisappear dismissed",
            ],
            source:
                "Apple, dismiss(animated:completion:): its child and all above that; no page has the order of the two"),
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
            source: "betterhee.tistory.com/75: a modal that does not cover all takes nothing out of the hierarchy"),
        Row(
            name: "an alert's action", before: [.send(.alert)], input: .tap("Yes"), calls: ["yes"],
            source: "Apple, UIAlertAction: the handler runs when the user selects it; after the alert has gone"),
        Row(
            name: "a tap beside an action sheet", before: [.send(.sheet)], input: .back, calls: ["no"],
            source: "Apple, UIAlertAction.Style.cancel: as if the cancel action were selected"),
    ]

    /// The tabs a and b, each with a navigation controller.
    static let tabs = [
        Row(
            name: "select another tab", start: .tabs, input: .select("b"),
            calls: [
                "shouldSelect b", "B viewDidLoad", "B viewWillAppear", "A viewWillDisappear", "B viewIsAppearing",
                "willShow B", "A viewDidDisappear", "B viewDidAppear", "didShow B", "didSelect b",
            ], source: "\(switchedTabs); \(selectedTabs) (didSelect comes last)"),
        Row(
            name: "select a tab again", start: .tabs, before: [.select("b")], input: .select("a"),
            calls: [
                "shouldSelect a", "A viewWillAppear", "B viewWillDisappear", "A viewIsAppearing", "B viewDidDisappear",
                "A viewDidAppear", "didSelect a",
            ], source: "\(switchedTabs); \(selectedTabs) (didSelect comes last)"),
        Row(
            name: "the delegate refuses a tab", start: .tabs, before: [.send(.refuse)], input: .select("b"),
            calls: ["shouldSelect b"],
            source: "Apple, tabBarController(_:shouldSelect:): false where the current tab should remain active"),
        Row(
            name: "the app selects a tab", start: .tabs, input: .send(.select(1)),
            calls: [
                "B viewDidLoad", "B viewWillAppear", "A viewWillDisappear", "B viewIsAppearing", "willShow B",
                "A viewDidDisappear", "B viewDidAppear", "didShow B",
            ], source: "\(switchedTabs); Apple, tabBarController(_:didSelect:): only in response to user taps"),
        Row(
            name: "a tap on the selected tab", start: .tabs, before: [.send(.push("C"))], input: .select("a"),
            calls: [
                "shouldSelect a", "C willMove nil", "didSelect a", "C viewWillDisappear moving", "A viewWillAppear",
                "A viewIsAppearing", "willShow A", "C viewDidDisappear moving, alone", "A viewDidAppear",
                "didShow A without C",
                "C didMove nil",
            ], source: "Apple, tabBarController(_:didSelect:): also the controller that was selected"),
    ]
}
