extension Substring {
    /// Without the spaces and tabs around it.
    var withoutBlanks: Substring {
        let blanks: Set<Character> = [" ", "\t"]
        let start = drop { blanks.contains($0) }
        guard let last = start.lastIndex(where: { !blanks.contains($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}
