// The types are UIKit's, because a scene's connection has a notification; on a phone UIKit imports this module, too.
@_exported import UIKit
