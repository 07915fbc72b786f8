import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of the N rows of `scenarios.md`, with the article's own coordinators.
@Suite("notes in UIKit")
struct NotesArticleRows {
    @Test("N-01 in UIKit: the list is the first screen")
    func start() throws {
        try walk { walk in walk.expect("n[main]", "Main") }
    }

    @Test("N-02 in UIKit: showDetail pushes the note")
    func showDetail() throws {
        try walk { walk in
            showDetail(1, walk)
            walk.expect("n[main, detail]", "Main→[Detail]")
            walk.app.expectState(#"{"note":{"id":1,"title":"Coordinators"}}"#)
        }
    }

    @Test("N-02 in UIKit: an unknown note is refused")
    func unknownDetail() throws {
        try walk { walk in walk.expectUnchanged(.refused, naming: "no note 9") { showDetail(9, $0) } }
    }

    @Test("N-04 in UIKit: a reported pop frees the screen, the view model and the coordinator")
    func popped() throws {
        try walk { walk in
            showDetail(1, walk)
            walk.app.popped(2)
            walk.expect("n[main]", "Main")
            #expect(walk.watch.living == ["Main"])
        }
    }

    @Test("N-05 in UIKit: a cancelled swipe calls the controllers and changes nothing")
    func cancelledSwipe() throws {
        try walk { walk in
            showDetail(1, walk)
            walk.app.open(UIKitCoordinator.Flow.cancelledPop)
            walk.expect("n[main, detail]", "Main→[Detail]")
            #expect(walk.app.screens.map(\.id) == [1, 2])
        }
    }

    @Test("N-06 in UIKit: the settings are a sheet with its own navigation")
    func showSettings() throws {
        try walk { walk in
            walk.app.send("showSettings")
            walk.expect("n[main] ⊕ sheet[settings]", "Main→[Settings]")
        }
    }

    @Test("N-07 in UIKit: pulling the sheet down ends the settings")
    func dismissed() throws {
        try walk { walk in
            walk.app.send("showSettings")
            walk.watch.look()
            walk.app.dismissed(2)
            walk.expect("n[main]", "Main")
        }
    }

    @Test("N-08 in UIKit: close ends the settings")
    func close() throws {
        try walk { walk in
            walk.app.send("showSettings")
            walk.watch.look()
            walk.app.send("close")
            walk.expect("n[main]", "Main")
            walk.app.expectChanges(#"[{"dismiss":[2]}]"#)
        }
    }

    @Test("N-09 in UIKit: repeating the event popped changes nothing")
    func poppedAgain() throws {
        try walk { walk in
            showDetail(1, walk)
            walk.app.popped(2)
            walk.app.popped(2)
            walk.expect("n[main]", "Main")
        }
    }

    @Test("N-11 in UIKit: a second detail belongs to the first detail's coordinator and closes only itself")
    func secondDetail() throws {
        try walk { walk in
            showDetail(1, walk)
            showDetail(2, walk)
            walk.expect("n[main, detail, detail]", "Main→[Detail, Detail]")
            walk.app.send("close", from: 3)
            walk.expect("n[main, detail]", "Main→[Detail]")
            walk.app.expectState(#"{"note":{"id":1,"title":"Coordinators"}}"#)
            #expect(walk.app.screens.map(\.id) == [1, 2])
        }
    }

    @Test("N-12 in UIKit: the event home pops to the root and frees the whole subtree")
    func home() throws {
        try walk { walk in
            showDetail(1, walk)
            walk.app.send("showSub")
            walk.expect("n[main, detail, sub]", "Main→[Detail→[Sub]]")
            walk.app.send("home")
            walk.expect("n[main]", "Main")
            #expect(walk.watch.living == ["Main"])
        }
    }

    private func showDetail(_ id: Int, _ walk: ArticleWalk) {
        walk.app.send("showDetail", ["id": id])
        walk.watch.look()
    }

    private func walk(_ body: (ArticleWalk) throws -> Void) throws {
        try ArticleWalk.run(NotesUIKitApp.self, body)
    }
}
