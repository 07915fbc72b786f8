import Usher

/// What the inputs in the body of an `expect…` method led to.
struct Attempts {
    var inputs = 0
    var rejections: [Rejection] = []
    var warnings: [String] = []
}
