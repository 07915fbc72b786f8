extension String {
    /// The string in quotation marks, cut when it is too long for a sentence.
    var abbreviated: String { unicodeScalars.count <= 60 ? "\"\(self)\"" : "\"\(String(unicodeScalars.prefix(60)))…\"" }
}
