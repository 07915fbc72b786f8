import Testing
import Usher
import UsherSessions

@Suite("Effects in usher export --as curl", .timeLimit(.minutes(5)))
struct CurlEffectExportTests {
    @Test func `a script has the outcomes of effects and timers as comments, and sends the recorded messages`()
        async throws
    {
        let journal = try RecordedJournal()
        let id = try await journal.use { storage in
            let walk = try await RecordedWalk(ParcelApp.self, in: storage)
            try await walk.sendParcels()
            return walk.id
        }
        let (status, lines) = try await journal.run("export", id.text, apps: [ParcelApp.self])
        #expect(status == 0)
        let script = lines.joined(separator: "\n")
        #expect(script.contains("\n\n\(Self.parcelSteps)\nprintf"), "\(script)")
    }

    private static let parcelSteps = #"""
        send "$session/events" '{"event":{"send":{"name":"kim"}}}'
        # here an effect ended: {"effect":"2.1","success":{"name":"it's kim","pin":"…"}}
        send "$session/events" '{"back":true}'
        send "$session/events" '{"event":{"send":{"name":"nobody"}}}'
        # here an effect ended: {"effect":"5.1","failure":{"code":"unknown","message":"it's \"nobody\""}}
        send "$session/events" '{"back":true}'
        send "$session/events" '{"event":"chain"}'
        # here an effect ended: {"effect":"8.1","success":{"name":"it's first","pin":"…"}}
        # here an effect ended: {"effect":"9.1","success":{"name":"it's second","pin":"…"}}
        send "$session/events" '{"back":true}'
        send "$session/events" '{"event":{"remind":{"after":2000}}}'
        send "$session/events" '{"event":"look"}'
        send "$session/events" '{"back":true}'
        # here a timer fired: {"timer":"12.1"}
        # here an effect ended: {"effect":"15.1","success":{"name":"it's late","pin":"…"}}
        # A secret is masked in the next line: replace "…" with a secret.
        send "$session/messages" '{"message":{"arrived":{"name":"kim","code":"…"}}}'
        send "$session/events" '{"back":true}'
        send "$session/events" '{"back":true}'
        send "$session/events" '{"event":"refuse"}'
        # here the result of an effect or a timer was refused: {"refused":"20.1","reason":"not this"}
        """#
}
