import SwiftUI
import Testing
import Usher
import UsherTesting

/// Tests of `UIHostingController`, and of what clients see of views.
@Suite
struct HostingTests {
    @Test func `a view that declares a screen is shown as that screen, and handles its events`() throws {
        let app = try AppUnderTest(ViewsApp.self)
        app.send("tap", ["action": "Counter"])
        app.expectStack("n[menu, counter]")
        app.expectVisible(CounterScreen(count: 0))
        app.send(.add(amount: 2), on: CounterScreen.self)
        app.expectVisible(CounterScreen(count: 2))
        app.back()
        app.expectStack("n[menu]")
    }

    @Test func `a view that declares no screen is shown with its type's name and its controller's title and buttons`()
        throws
    {
        let app = try AppUnderTest(ViewsApp.self)
        app.send("tap", ["action": "Plain"])
        app.expectStack("n[menu, note]")
        app.expectState(#"{"title":"Notes","actions":["Done"]}"#)
        app.send("tap", ["action": "Done"])
        app.expectStack("n[menu]")
    }

    @Test(arguments: ["Modified", "Erased", "Erased and modified", "Subclass", "Stack", "Stack of erased"])
    func `a view that declares a screen is shown as that screen, even inside modifiers or AnyView`(_ kind: String)
        throws
    {
        let app = try AppUnderTest(ViewsApp.self)
        app.send("tap", ["action": kind])
        app.expectVisible(CounterScreen(count: 0))
        app.send(.add(amount: 2), on: CounterScreen.self)
        app.expectVisible(CounterScreen(count: 2))
        app.back()
        app.finishTest()
    }

    @Test(arguments: ["Loading", "Loading, modified", "Loading, erased"])
    func `a view's task runs while the view is shown, and begins again when the view appears again`(_ kind: String)
        throws
    {
        let app = try AppUnderTest(ViewsApp.self)
        app.send("tap", ["action": kind])
        app.expectVisible(LoadingScreen(appearances: 1, seconds: 0))
        app.advance(by: .seconds(2))
        app.expectVisible(LoadingScreen(appearances: 1, seconds: 2))
        app.send(.cover, on: LoadingScreen.self)
        app.advance(by: .seconds(5))
        app.back()
        app.expectVisible(LoadingScreen(appearances: 2, seconds: 0))
        app.advance(by: .seconds(1))
        app.expectVisible(LoadingScreen(appearances: 2, seconds: 1))
        app.back()
        app.finishTest()
    }

    @Test func `a cancelled swipe back does not restart the view's task`() throws {
        let app = try AppUnderTest(ViewsApp.self)
        app.send("tap", ["action": "Loading"])
        app.advance(by: .seconds(2))
        app.open(UIKitCoordinator.Flow.cancelledPop)
        app.expectVisible(LoadingScreen(appearances: 1, seconds: 2))
        app.back()
        app.finishTest()
    }

    @Test func `setting rootView changes the content that is shown, even if the view's type is erased`() throws {
        let app = try AppUnderTest(ViewsApp.self)
        for kind in ["Counter", "Erased"] {
            app.send("tap", ["action": kind])
            app.send(.replace, on: CounterScreen.self)
            app.expectVisible(CounterScreen(count: 100))
            app.back()
        }
    }

    @Test func `a view and its view model are released when no controller shows the view any more`() throws {
        let app = try AppUnderTest(ViewsApp.self)
        app.send("tap", ["action": "Counter"])
        app.back()
        app.send("tap", ["action": "Look"])
        #expect(app.visible?.state.contains(#""title":"released""#) == true)
    }

    @MainActor @Test func `only a property of an environment object's type finds the object`() {
        let (session, other) = (CounterModel(), OtherModel())
        let view = EnvironmentView()
        #expect(view.model == nil)
        _ = view.environmentObject(other)
        #expect(view.model == nil)
        _ = AnyView(view).environmentObject(session)
        #expect(view.model === session)
    }

    @MainActor @Test func `a binding reads and writes the property that it was made from`() {
        let (view, model) = (StateView(), CounterModel())
        view.$count.wrappedValue = 3
        #expect(view.count == 3)
        let point = Binding(get: { view.point }, set: { view.point = $0 })
        point.x.wrappedValue = 4
        #expect(view.point == Point(x: 4))
        ObservedObject(wrappedValue: model).projectedValue.count.wrappedValue = 5
        #expect(model.count == 5)
        #expect(Binding.constant(1).wrappedValue == 1)
        #expect(view.name == nil)
    }

    @MainActor @Test func `a StateObject is created once, at its first use`() {
        var count = 0
        let make = {
            count += 1
            return CounterModel()
        }
        let object = StateObject(wrappedValue: make())
        #expect(count == 0)
        #expect(object.wrappedValue === object.wrappedValue)
        #expect(count == 1)
    }
}

private enum ViewsApp: App {
    static let screens: [any Screen.Type] = [CounterScreen.self, LoadingScreen.self]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = UINavigationController(rootViewController: MenuViewController())
            return nil
        }
    }
}

private struct CounterScreen: Screen, Equatable {
    enum Event: Codable {
        case add(amount: Int)
        case replace
    }

    static let examples: [Event] = [.add(amount: 1), .replace]

    let count: Int
}

private final class CounterModel: ObservableObject {
    @Published var count: Int

    init(_ count: Int = 0) { self.count = count }
}

private final class OtherModel: ObservableObject {}

private struct CounterView: ScreenView {
    @ObservedObject var model: CounterModel
    var replace: () -> Void = {}

    var content: CounterScreen { CounterScreen(count: model.count) }

    func handle(_ event: CounterScreen.Event) {
        switch event {
        case .add(let amount): model.count += amount
        case .replace: replace()
        }
    }
}

private struct LoadingScreen: Screen, Equatable {
    enum Event: String, Codable, CaseIterable {
        case cover
    }

    let appearances: Int
    let seconds: Int
}

private final class LoadingModel: ObservableObject {
    @Published var appearances = 0
    @Published var seconds = 0
}

/// A view that counts the seconds since it appeared.
private struct LoadingView: ScreenView {
    @ObservedObject var model = LoadingModel()
    let cover: () -> Void

    var content: LoadingScreen { LoadingScreen(appearances: model.appearances, seconds: model.seconds) }

    func handle(_ event: LoadingScreen.Event) { cover() }

    func onAppear() { model.appearances += 1 }

    func onDisappear() { model.seconds = 0 }

    func task() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { model.seconds += 1 }
    }
}

private struct NoteView: View {
    let text: Text
}

private struct EnvironmentView: View {
    @EnvironmentObject var model: CounterModel?
}

private struct Point: Equatable {
    var x = 0
}

private struct StateView: View {
    @State var count = 0
    @State var point = Point()
    @State var name: String?
}

private final class CounterViewController: UIHostingController<CounterView> {
    init(model: CounterModel) {
        super.init(rootView: CounterView(model: model))
    }

    required init?(coder: NSCoder) { nil }
}

private struct NoteView_Previews: PreviewProvider {
    static var previews: some View {
        NoteView(text: Text("note").bold() + Text(verbatim: "s")).padding(.horizontal, 8).font(.title.weight(.bold))
            .foregroundColor(.red.opacity(0.5)).background(Image(systemName: "pencil").resizable())
    }
}

private final class MenuViewController: UIViewController {
    private static let kinds = [
        "Look", "Counter", "Plain", "Modified", "Erased", "Erased and modified", "Subclass", "Stack", "Stack of erased",
        "Loading", "Loading, modified", "Loading, erased",
    ]
    private weak var model: CounterModel?

    override var actionsOfScreen: [UIAction] {
        Self.kinds.map { title in
            UIAction(title: title) { [weak self] _ in self?.perform(title) }
        }
    }

    private func perform(_ kind: String) {
        guard kind != "Look" else {
            title = model == nil ? "released" : "kept"
            return
        }
        let model = CounterModel()
        self.model = model
        let controller = controller(kind, model)
        navigationController?.pushViewController(controller, animated: true)
    }

    private func controller(_ kind: String, _ model: CounterModel) -> UIViewController {
        let view = CounterView(model: model)
        let loading = LoadingView { [weak self] in
            self?.navigationController?.pushViewController(UIHostingController(rootView: view), animated: true)
        }
        switch kind {
        case "Loading": return UIHostingController(rootView: loading)
        case "Loading, modified": return UIHostingController(rootView: loading.padding())
        case "Loading, erased": return UIHostingController(rootView: AnyView(loading))
        case "Counter":
            let controller = UIHostingController(rootView: view)
            controller.rootView.replace = { [weak controller] in
                controller?.rootView = CounterView(model: CounterModel(100))
            }
            return controller
        case "Plain":
            let controller = UIHostingController(rootView: NoteView(text: Text("note")))
            controller.title = "Notes"
            let done = UIAction(title: "Done") { [weak self] _ in
                _ = self?.navigationController?.popViewController(animated: true)
            }
            controller.navigationItem.rightBarButtonItem = UIBarButtonItem(title: "Done", primaryAction: done)
            return controller
        case "Modified": return UIHostingController(rootView: view.padding().environmentObject(model))
        case "Erased":
            let controller = UIHostingController(rootView: AnyView(view))
            controller.rootView = AnyView(
                CounterView(model: model) { [weak controller] in
                    controller?.rootView = AnyView(CounterView(model: CounterModel(100)))
                })
            return controller
        case "Erased and modified": return UIHostingController(rootView: AnyView(AnyView(view)).opacity(0.5))
        case "Stack": return UIHostingController(rootView: NavigationStack { view.padding() })
        case "Stack of erased": return UIHostingController(rootView: NavigationStack { AnyView(view) }.tint(.red))
        default: return CounterViewController(model: model)
        }
    }
}
