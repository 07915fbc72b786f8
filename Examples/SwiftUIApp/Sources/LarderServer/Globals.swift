import UIKit

// In all files of this module, these names are the session's, whatever a file imports. Foundation, Dispatch and Swift
// have the same names for the whole process.

typealias AsyncStream = UIKit.AsyncStream
typealias AsyncThrowingStream = UIKit.AsyncThrowingStream
typealias CheckedContinuation = UIKit.CheckedContinuation
typealias DispatchGroup = UIKit.DispatchGroup
typealias DispatchQueue = UIKit.DispatchQueue
typealias DispatchTime = UIKit.DispatchTime
typealias DispatchWorkItem = UIKit.DispatchWorkItem
typealias MainActor = UIKit.MainActor
typealias NotificationCenter = UIKit.NotificationCenter
typealias RunLoop = UIKit.RunLoop
typealias Task = UIKit.Task
typealias Timer = UIKit.Timer
typealias UserDefaults = UIKit.UserDefaults

nonisolated(nonsending)
    func withCheckedContinuation<T>(
        function: String = #function, _ body: (UIKit.CheckedContinuation<T, Never>) -> Void
    ) async -> sending T
{
    await UIKit.withCheckedContinuation(function: function, body)
}

nonisolated(nonsending)
    func withCheckedThrowingContinuation<T>(
        function: String = #function, _ body: (UIKit.CheckedContinuation<T, any Error>) -> Void
    ) async throws -> sending T
{
    try await UIKit.withCheckedThrowingContinuation(function: function, body)
}
