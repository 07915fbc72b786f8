import Testing
import UsherServer

@Suite("Options of the watchdog")
struct WatchOptionTests {
    @Test func `by default, a handler may take five seconds, and an input may use 256 MiB of memory`() throws {
        let options = try serve([])
        #expect(options.handlerTimeout == .seconds(5))
        #expect(options.inputMemory == 256 << 20)
    }

    @Test func `each limit of the watchdog can be set, and 0 means that there is no limit`() throws {
        let options = try serve(["--handler-timeout", "750ms", "--input-memory=2G"])
        #expect(options.handlerTimeout == .milliseconds(750))
        #expect(options.inputMemory == 2 << 30)
        #expect(try serve(["--input-memory", "64MB"]).inputMemory == 64 << 20)
        let none = try serve(["--handler-timeout", "0", "--input-memory", "0"])
        #expect(none.handlerTimeout == nil && none.inputMemory == nil)
    }

    @Test(arguments: [
        (["--handler-timeout", "5"], "such as 30s"), (["--handler-timeout", "-1s"], "365d"),
        (["--input-memory", "5"], "such as 256M"), (["--input-memory", "1M"], "such as 256M"),
        (["--input-memory", "9223372036854775807G"], "such as 256M"), (["--input-memory", "M"], "such as 256M"),
    ])
    func `an invalid limit for the watchdog is refused with a message`(arguments: [String], words: String) throws {
        let error = try #require(throws: UsageError.self) { try serve(arguments) }
        #expect(error.reason.contains(words), "\(error.reason)")
    }

    @Test func `the flight record is written beside the journal`() {
        #expect(StateFolder(besideJournal: "a/b.sqlite").flightRecord == "a/b.sqlite-slots")
    }

    private func serve(_ arguments: [String]) throws -> ServeOptions {
        guard
            case .serve(let options) = try Command(
                ["serve"] + arguments, environment: { $0 == "HOME" ? "/home/kim" : nil })
        else {
            throw UnexpectedCommand()
        }
        return options
    }

    private struct UnexpectedCommand: Error {}
}
