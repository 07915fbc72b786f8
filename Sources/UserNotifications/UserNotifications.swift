// UIKit declares the types, because a scene's connection contains a notification. On a phone, UIKit imports this
// module, too.
@_exported import UIKit
