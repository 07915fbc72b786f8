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

        /// The rows of a pipeline: scripts with their traces.
        static func rows(_ pipeline: Pipeline, _ page: String, _ traces: KeyValuePairs<String, String>) -> [Row] {
            traces.map { Row(pipeline: pipeline, page: page, script: $0, expected: $1) }
        }
    }

    /// Each word is an input; `~500` lets 500 milliseconds pass.
    @Test(arguments: rows)
    func `a pipeline uses the session's clock, and leaves no pending work when it ends`(
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

    static let rows: [Row] = [
        Row.rows(
            .receiveOnQueue, "publisher/receive(on:options:)",
            [
                "+∞ 1&= |&=": "?∞ = 1 = |",
                "+∞ 1&x&=": "?∞ = 1 x",
                "+∞ 1&c&=": "?∞ ! =",
                "+1 1&2&= +1": "?1 = 1 ?1",
            ]),
        Row.rows(
            .receiveOnLoop, "publisher/receive(on:options:)",
            ["+∞ 1&= |&=": "?∞ = 1 = |"]),
        Row.rows(
            .subscribeOn, "publisher/subscribe(on:options:)",
            [
                "+1&= 1&= c&=": "= ?1 1 = = !",
                "+1 x&=": "?1 x =",
            ]),
        Row.rows(
            .delay, "publisher/delay(for:tolerance:scheduler:options:)",
            [
                "+∞ 1 ~500 2 ~499 ~1 ~500 | ~999 ~1": "?∞ ~500 ~499 ~1 1 ~500 2 ~999 ~1 |",
                "+∞ x ~999 ~1": "?∞ ~999 ~1 x",
                "+∞ 1 c ~2000": "?∞ ! ~2000",
                "+1 1 2 ~1000 +1 3 ~1000": "?1 ~1000 1 ?1 ~1000 3",
                "+∞ 1 c": "?∞ !",
            ]),
        Row.rows(
            .debounce, "publisher/debounce(for:scheduler:options:)",
            [
                "+∞ 1 ~299 2 ~299 ~1 3 |": "?∞ ~299 ~299 ~1 2 |",
                "+∞ 1 x ~300": "?∞ x ~300",
                "+∞ 1 c ~300": "?∞ ! ~300",
                "1 ~300 +1 2 ~300 3 ~300": "?∞ ~300 ~300 2 ~300",
                "+∞ 1 c": "?∞ !",
            ]),
        Row.rows(
            .throttleLatest, "publisher/throttle(for:scheduler:latest:)",
            [
                "+∞ 1 2 3 ~999 ~1 ~1000 4 |": "?∞ 1 ~999 ~1 3 ~1000 4 |",
                "+∞ 1 2 x ~1000": "?∞ 1 ~1000 2 x",
                "+∞ 1 2 c ~1000": "?∞ 1 ! ~1000",
                "1 ~1000 +1 2 ~1000 3": "?∞ ~1000 2 ~1000",
                "+∞ 1 2 c": "?∞ 1 !",
            ]),
        Row.rows(
            .throttleFirst, "publisher/throttle(for:scheduler:latest:)",
            ["+∞ 1 2 3 ~999 ~1 |": "?∞ 1 ~999 ~1 2 |"]),
        Row.rows(
            .timeout, "publisher/timeout(_:scheduler:options:customerror:)",
            [
                "+∞ ~999 1 ~999 ~1 c": "?∞ ~999 1 ~999 ~1 ! |",
                "+∞ 1 x ~1000": "?∞ 1 x ~1000",
                "+∞ 1 c ~1000": "?∞ 1 ! ~1000",
                "+1 1 2 +1 3 |": "?1 1 ?1 3 |",
                "+∞ 1 c": "?∞ 1 !",
            ]),
        Row.rows(
            .timeoutWithError, "publisher/timeout(_:scheduler:options:customerror:)",
            ["+∞ ~1000 c": "?∞ ~1000 ! late"]),
        Row.rows(
            .timer, "foundation/timer/publish(every:tolerance:on:in:options:)",
            [
                "+∞ ~1000 ~1000 c ~1000": "~1000 tick ~1000 tick ~1000",
                "~1000 +1 ~1000 ~1000 c": "~1000 ~1000 tick ~1000",
            ]),
        Row.rows(
            .notifications, "foundation/notificationcenter/publisher",
            ["n +1 n n +1 n c n": "note note"]),
        Row.rows(
            .values, "publisher/values-1dm9r",
            [
                "1&2 3 |": "?1 got 1 ?1 got 3 ?1 over",
                "1 x": "?1 got 1 ?1 x",
                "1 c 2": "?1 got 1 ?1 ! over",
            ]),
    ].flatMap { $0 }

    @Test func `an effect's publisher performs the effect when a subscriber requests a value, and then finishes`()
        async throws
    {
        let app = try AppUnderTest(PipelineApp.self)
        app.send(PipelineScreen.Event.begin(pipeline: .effect), on: PipelineScreen.self)
        app.expectPending()
        app.send(PipelineScreen.Event.perform(words: "+1"), on: PipelineScreen.self)
        await app.settle()
        app.expectVisible(PipelineScreen(trace: "found |"))
        app.finishTest()
    }

    @Test func `cancelling an effect's publisher cancels the effect`() throws {
        let app = try AppUnderTest(PipelineApp.self)
        app.send(PipelineScreen.Event.begin(pipeline: .effect), on: PipelineScreen.self)
        app.send(PipelineScreen.Event.perform(words: "+1"), on: PipelineScreen.self)
        app.send(PipelineScreen.Event.perform(words: "c"), on: PipelineScreen.self)
        app.expectPending()
        app.finishTest()
    }
}
