import Foundation
import LocalhostClient
import ServerCluster

extension ClusterServer {
    /// Waits until the server reports that it is ready, or is not.
    ///
    /// - Returns: `false` after a time limit.
    func becomes(ready isReady: Bool) -> Bool {
        let end = LoadClient.now + 20_000_000_000
        while LoadClient.now < end {
            let status = (try? client(timeout: 5).request("GET", "/readyz"))?.status
            if status == (isReady ? 200 : 503) { return true }
            LoadProgress.pause()
        }
        return false
    }

    /// Waits until the server's log reports that its clock is ahead of this process's by a number of seconds.
    ///
    /// - Returns: `false` after a time limit.
    func becomes(ahead seconds: Double) -> Bool {
        let end = LoadClient.now + 10_000_000_000
        while abs(timeAhead - seconds) > 60, LoadClient.now < end { LoadProgress.pause() }
        return abs(timeAhead - seconds) <= 60
    }

    private var timeAhead: Double {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let times = log.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.flatMap { try? format.parse(String($0)) }
        }
        return times.last?.timeIntervalSinceNow ?? 0
    }
}
