import HelloBye
import Notes
import Sooda
import StartLoginMain
import Testing
import Tudy
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

/// Tests of random inputs to the samples, with a client that uses the profile `changes`.
@Suite("Random walks with the changes profile of answers", .timeLimit(.minutes(5)))
struct ReducedWalkTests {
    static let samples: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]
    private static let profile: HeaderFields = ["Accept": "application/json; profile=changes"]

    @Test(arguments: ["hello-bye", "notes", "sooda", "start-login-main", "tudy"], [7, 19, 23] as [UInt64])
    func `the changes, when combined, give the state that GET returns, and the answers are smaller`(
        app: String, seed: UInt64
    ) async throws {
        try await Surface.inProcess.serve(Self.samples) { stage in
            let walk = try await stage.open(app)
            var copy = ReducedStateCopy()
            copy.take(try await walk.state(headers: Self.profile).json)
            var wanderer = Wanderer(seed: seed)
            var (reduced, whole) = (0, 0)
            var isBehind = false
            for step in 0..<80 {
                let before = try await walk.state()
                guard before.status == 200 else { break }
                let answer = try await walk.post(wanderer.input(for: before), headers: Self.profile)
                guard answer.status == 200 else { continue }
                reduced += answer.body.count
                let after = try await walk.state()
                guard after.status == 200 else { break }
                whole += after.body.count
                // Some responses are lost.
                if step % 9 == 8 {
                    isBehind = true
                    continue
                }
                if before["revision"]?.integer != copy.revision { isBehind = true }
                if !copy.take(answer.json) {
                    #expect(isBehind, "\(answer.text)")
                    copy.take(try await walk.state(headers: Self.profile).json)
                }
                var newest = Self.profile
                newest.append(name: "If-None-Match", value: "\"\(copy.revision)\"")
                let missed = try await walk.state(headers: newest)
                if missed.status != 304 { copy.take(missed.json) }
                isBehind = false
                #expect(copy == ReducedStateCopy(whole: try #require(try await walk.state().json)))
            }
            #expect(reduced < whole)
        }
    }
}
