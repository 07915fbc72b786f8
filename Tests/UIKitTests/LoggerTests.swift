import OSLog
import Testing

/// Tests of the system's log, which writes nothing.
@Suite
struct LoggerTests {
    @Test func `a Logger writes nothing, and does not evaluate the values in a message`() {
        var computed = 0
        func value() -> Int {
            computed += 1
            return computed
        }
        let logger = Logger(subsystem: "shop", category: "flow")
        logger.info("started \(value(), privacy: .public) of \(value(), privacy: .private(mask: .hash))")
        logger.log(level: .error, "failed \(value())")
        Logger(OSLog(subsystem: "shop", category: "flow")).debug("\(value(), privacy: .sensitive)")
        os_log("opened %@ %d", log: .default, type: .debug, "page", 7)
        os_log(.error, "failed \(value())")
        #expect(computed == 0)
    }
}
