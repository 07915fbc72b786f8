import UIKit

// In all files of this module, these names are the session's, whatever a file imports. Foundation, Dispatch and Swift
// have the same names for the whole process.

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
