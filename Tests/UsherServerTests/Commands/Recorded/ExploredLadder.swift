// swift-format-ignore-file
// As they were exported; USHER_RECORD=1 writes them anew.
import Testing
import Usher
import UsherTesting

/// A path through the app "ladder": message storm.
@Test func exploredWay1() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"message":"storm"}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": climb, descend.
@Test func exploredWay2() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"event":{"descend":{}}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": climb, back.
@Test func exploredWay3() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"back":true}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": climb, pop top.
@Test func exploredWay4() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"popped":2}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": climb, message storm.
@Test func exploredWay5() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"message":"storm"}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather succeeds.
@Test func exploredWay6() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","success":{}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, breather fails (cancelled).
@Test func exploredWay7() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"cancelled","message":"a failure that was tried: cancelled"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather fails (failed).
@Test func exploredWay8() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"failed","message":"a failure that was tried: failed"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather fails (services).
@Test func exploredWay9() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"services","message":"a failure that was tried: services"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather fails (tooLarge).
@Test func exploredWay10() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"tooLarge","message":"a failure that was tried: tooLarge"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather fails (timeout).
@Test func exploredWay11() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"timeout","message":"a failure that was tried: timeout"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather fails (forked).
@Test func exploredWay12() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"forked","message":"a failure that was tried: forked"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": rest, breather fails (tired).
@Test func exploredWay13() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"effect":"2.1","failure":{"code":"tired","message":"a failure that was tried: tired"}}"#)
    app.expectStack("n[bottom]")
}

/// A path through the app "ladder": wait, timer.
@Test func exploredWay14() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"wait":{}}}"#)
    app.expectStack("n[bottom]")

    app.advance(by: .milliseconds(1000), firingTimers: false)
    app.input(#"{"timer":"2.1"}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather succeeds.
@Test func exploredWay15() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","success":{}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (cancelled).
@Test func exploredWay16() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"cancelled","message":"a failure that was tried: cancelled"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (failed).
@Test func exploredWay17() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"failed","message":"a failure that was tried: failed"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (services).
@Test func exploredWay18() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"services","message":"a failure that was tried: services"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (tooLarge).
@Test func exploredWay19() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"tooLarge","message":"a failure that was tried: tooLarge"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (timeout).
@Test func exploredWay20() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"timeout","message":"a failure that was tried: timeout"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (forked).
@Test func exploredWay21() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"forked","message":"a failure that was tried: forked"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": rest, climb, breather fails (tired).
@Test func exploredWay22() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"rest":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.input(#"{"effect":"2.1","failure":{"code":"tired","message":"a failure that was tried: tired"}}"#)
    app.expectStack("n[bottom, top]")
}

/// A path through the app "ladder": wait, climb, timer.
@Test func exploredWay23() throws {
    let app = try AppUnderTest(
        LadderApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 1,
        time: Timestamp(milliseconds: 0))
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"wait":{}}}"#)
    app.expectStack("n[bottom]")

    app.input(#"{"event":{"climb":{}}}"#)
    app.expectStack("n[bottom, top]")

    app.advance(by: .milliseconds(1000), firingTimers: false)
    app.input(#"{"timer":"2.1"}"#)
    app.expectStack("n[bottom, top]")
}
