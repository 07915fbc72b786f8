import Glibc
import Usher
import UsherServer

/// One app in several builds: the variable `BUILD` names the change, as if the sources were changed.
@main
enum ReleaseProgram: ServerProgram {
    static var apps: [any App.Type] { isBuild("none") ? [] : [ShopApp.self] }

    static func isBuild(_ name: String) -> Bool {
        unsafe getenv("BUILD").map { unsafe String(cString: $0) } == name
    }
}

enum ShopApp: App {
    static var name: String { "shop" }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator() }
}

struct GoodsScreen: Screen {
    struct Item: Codable, Equatable {
        let name: String
        let cents: Int
    }

    enum Event: Codable, CaseIterable { case pay }
    let goods: [Item]
}

struct TimeScreen: Screen { enum Event: Codable, CaseIterable { case next } }

struct PayScreen: Screen {
    enum Event: Codable, CaseIterable { case sure }
    let cents: Int
}

final class ShopCoordinator: Coordinator<Never> {
    private var tea: Int { ReleaseProgram.isBuild("price") ? 350 : 250 }

    override func start() {
        let goods = [GoodsScreen.Item(name: "tea", cents: tea), GoodsScreen.Item(name: "rice", cents: 800)]
        push(GoodsScreen(goods: ReleaseProgram.isBuild("order") ? goods.reversed() : goods)) { me, _ in
            guard ReleaseProgram.isBuild("screen") else { return me.pay() }
            me.push(TimeScreen()) { me, _ in me.pay() }
        }
    }

    private func pay() { push(PayScreen(cents: 800 + tea)) { _, _ in } }
}
