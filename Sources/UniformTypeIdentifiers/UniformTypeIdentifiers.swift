// The type is UIKit's, because a document picker has it.
@_exported import UIKit
