import Testing
import UsherHTTP
import UsherSessions

@testable import UsherServer

@Suite("Problems for requests that a server cannot complete")
struct UnavailabilityTests {
    @Test func `an input that was possibly accepted gets the problem outcome-unknown, without internal details`() {
        let text = text(of: .outcomeUnknown(cause: "the disk is gone"), .gatewayTimeout)
        #expect(text.contains("urn:usher:problem:outcome-unknown"))
        #expect(text.contains("may or may not have taken effect"))
        #expect(!text.contains("had no effect"))
        // Only the operator may see the cause.
        #expect(!text.contains("the disk is gone"))
    }

    @Test func `an input that was not accepted gets the problem journal-unavailable`() {
        for error in [SessionError.notRecorded(cause: ""), .notRead(cause: "")] {
            let text = text(of: error)
            #expect(text.contains("urn:usher:problem:journal-unavailable"))
            #expect(text.contains("the request had no effect"))
        }
    }

    @Test func `the problem for too many watchers says whether one session or the whole server has too many`() {
        let text = text(of: .tooManyWatchers)
        #expect(text.contains("urn:usher:problem:server-full"))
        #expect(text.contains("watch this session, or all sessions of this server"))
    }

    private func text(of error: SessionError, _ status: Status = .serviceUnavailable) -> String {
        let response = Problem(error, apps: []).response
        #expect(response.status == status)
        #expect(response.headers["Retry-After"] != nil)
        return String(decoding: response.body, as: UTF8.self)
    }
}
