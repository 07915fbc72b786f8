// UIKit declares the type, because UIKit's document picker uses it.
@_exported import UIKit
