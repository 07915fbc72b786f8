import Combine
import Testing
import UIKit
import Usher
import UsherTesting

/// Pipelines whose time is the session's.
///
/// Each row names the page below developer.apple.com/documentation/combine that says what is expected, and each test ends
/// with a replay. No page says what becomes of a value that waits when the upstream ends: `debounce` drops it, and
/// `throttle` delivers it.
@Suite
struct PipelineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pipeline: Pipeline
        let page: String
        let script: String
        let expected: String

        var testDescription: String { "\(page): \(script)" }

        init(_ pipeline: Pipeline, _ page: String, _ script: String, _ expected: String) {
            (self.pipeline, self.page, self.script, self.expected) = (pipeline, page, script, expected)
        }
    }

    /// Each word is an input; `~500` lets 500 milliseconds pass.
    @Test(arguments: rows) func `a pipeline's time is the session's, and nothing is left when it has ended`(
        _ row: Row
    ) throws {
        let app = try AppUnderTest(PipelineApp.self)
        app.send(PipelineScreen.Event.begin(pipeline: row.pipeline), on: PipelineScreen.self)
        for word in row.script.split(separator: " ") {
            app.send(PipelineScreen.Event.perform(words: String(word)), on: PipelineScreen.self)
            if word.hasPrefix("~"), let milliseconds = Int(word.dropFirst()) {
                app.advance(by: .milliseconds(milliseconds))
            }
        }
        app.expectVisible(PipelineScreen(trace: row.expected))
        if row.script.contains("c") || row.script.contains("|") || row.script.contains("x") { app.expectPending() }
        app.finishTest()
    }

    static let rows = [
        Row(.receiveOnQueue, "publisher/receive(on:options:)", "+∞ 1&= |&=", "?∞ = 1 = |"),
        Row(.receiveOnQueue, "publisher/receive(on:options:)", "+∞ 1&x&=", "?∞ = 1 x"),
        Row(.receiveOnQueue, "publisher/receive(on:options:)", "+∞ 1&c&=", "?∞ ! ="),
        Row(.receiveOnQueue, "publisher/receive(on:options:)", "+1 1&2&= +1", "?1 = 1 ?1"),
        Row(.receiveOnLoop, "publisher/receive(on:options:)", "+∞ 1&= |&=", "?∞ = 1 = |"),
        Row(.subscribeOn, "publisher/subscribe(on:options:)", "+1&= 1&= c&=", "= ?1 1 = = !"),
        Row(.subscribeOn, "publisher/subscribe(on:options:)", "+1 x&=", "?1 x ="),
        Row(
            .delay, "publisher/delay(for:tolerance:scheduler:options:)", "+∞ 1 ~500 2 ~499 ~1 ~500 | ~999 ~1",
            "?∞ ~500 ~499 ~1 1 ~500 2 ~999 ~1 |"),
        Row(.delay, "publisher/delay(for:tolerance:scheduler:options:)", "+∞ x ~999 ~1", "?∞ ~999 ~1 x"),
        Row(.delay, "publisher/delay(for:tolerance:scheduler:options:)", "+∞ 1 c ~2000", "?∞ ! ~2000"),
        Row(
            .delay, "publisher/delay(for:tolerance:scheduler:options:)", "+1 1 2 ~1000 +1 3 ~1000",
            "?1 ~1000 1 ?1 ~1000 3"),
        Row(.debounce, "publisher/debounce(for:scheduler:options:)", "+∞ 1 ~299 2 ~299 ~1 3 |", "?∞ ~299 ~299 ~1 2 |"),
        Row(.debounce, "publisher/debounce(for:scheduler:options:)", "+∞ 1 x ~300", "?∞ x ~300"),
        Row(.debounce, "publisher/debounce(for:scheduler:options:)", "+∞ 1 c ~300", "?∞ ! ~300"),
        Row(.debounce, "publisher/debounce(for:scheduler:options:)", "1 ~300 +1 2 ~300 3 ~300", "?∞ ~300 ~300 2 ~300"),
        Row(
            .throttleLatest, "publisher/throttle(for:scheduler:latest:)", "+∞ 1 2 3 ~999 ~1 ~1000 4 |",
            "?∞ 1 ~999 ~1 3 ~1000 4 |"),
        Row(.throttleFirst, "publisher/throttle(for:scheduler:latest:)", "+∞ 1 2 3 ~999 ~1 |", "?∞ 1 ~999 ~1 2 |"),
        Row(.throttleLatest, "publisher/throttle(for:scheduler:latest:)", "+∞ 1 2 x ~1000", "?∞ 1 ~1000 2 x"),
        Row(.throttleLatest, "publisher/throttle(for:scheduler:latest:)", "+∞ 1 2 c ~1000", "?∞ 1 ! ~1000"),
        Row(.throttleLatest, "publisher/throttle(for:scheduler:latest:)", "1 ~1000 +1 2 ~1000 3", "?∞ ~1000 2 ~1000"),
        Row(
            .timeout, "publisher/timeout(_:scheduler:options:customerror:)", "+∞ ~999 1 ~999 ~1 c",
            "?∞ ~999 1 ~999 ~1 ! |"),
        Row(.timeoutWithError, "publisher/timeout(_:scheduler:options:customerror:)", "+∞ ~1000 c", "?∞ ~1000 ! late"),
        Row(.timeout, "publisher/timeout(_:scheduler:options:customerror:)", "+∞ 1 x ~1000", "?∞ 1 x ~1000"),
        Row(.timeout, "publisher/timeout(_:scheduler:options:customerror:)", "+∞ 1 c ~1000", "?∞ 1 ! ~1000"),
        Row(.timeout, "publisher/timeout(_:scheduler:options:customerror:)", "+1 1 2 +1 3 |", "?1 1 ?1 3 |"),
        Row(
            .timer, "foundation/timer/publish(every:tolerance:on:in:options:)", "+∞ ~1000 ~1000 c ~1000",
            "~1000 tick ~1000 tick ~1000"),
        Row(
            .timer, "foundation/timer/publish(every:tolerance:on:in:options:)", "~1000 +1 ~1000 ~1000 c",
            "~1000 ~1000 tick ~1000"),
        Row(.delay, "publisher/delay(for:tolerance:scheduler:options:)", "+∞ 1 c", "?∞ !"),
        Row(.debounce, "publisher/debounce(for:scheduler:options:)", "+∞ 1 c", "?∞ !"),
        Row(.throttleLatest, "publisher/throttle(for:scheduler:latest:)", "+∞ 1 2 c", "?∞ 1 !"),
        Row(.timeout, "publisher/timeout(_:scheduler:options:customerror:)", "+∞ 1 c", "?∞ 1 !"),
        Row(.notifications, "foundation/notificationcenter/publisher", "n +1 n n +1 n c n", "note note"),
        Row(.values, "publisher/values-1dm9r", "1&2 3 |", "?1 got 1 ?1 got 3 ?1 over"),
        Row(.values, "publisher/values-1dm9r", "1 x", "?1 got 1 ?1 x"),
        Row(.values, "publisher/values-1dm9r", "1 c 2", "?1 got 1 ?1 ! over"),
    ]

    @Test func `an effect's publisher performs the effect when it is asked, and finishes`() async throws {
        let app = try AppUnderTest(PipelineApp.self)
        app.send(PipelineScreen.Event.begin(pipeline: .effect), on: PipelineScreen.self)
        app.expectPending()
        app.send(PipelineScreen.Event.perform(words: "+1"), on: PipelineScreen.self)
        await app.settle()
        app.expectVisible(PipelineScreen(trace: "found |"))
        app.finishTest()
    }

    @Test func `a cancelled publisher of an effect gives the effect up`() throws {
        let app = try AppUnderTest(PipelineApp.self)
        app.send(PipelineScreen.Event.begin(pipeline: .effect), on: PipelineScreen.self)
        app.send(PipelineScreen.Event.perform(words: "+1"), on: PipelineScreen.self)
        app.send(PipelineScreen.Event.perform(words: "c"), on: PipelineScreen.self)
        app.expectPending()
        app.finishTest()
    }
}
