extension Tape {
    /// The way from the value at `root` to the token at `target`: the names and indices that lead there.
    ///
    /// Works while the text is still being read, too: a container without an end yet holds all that follows.
    func path(to target: Int, from root: Int = 0) -> [PathKey] {
        var path: [PathKey] = []
        var container = root
        while container < target, container < tokens.count, let child = child(of: container, holding: target) {
            path.append(child.key)
            container = child.value
        }
        return path
    }

    /// The place of the value at `index` as a JSON Pointer.
    func place(of index: Int) -> String { path(to: index).pointer }

    /// The value that a path leads to, or the last one on the way that there is.
    func value(at path: [any CodingKey], from root: Int) -> Int {
        var index = root
        for key in path {
            guard let child = child(of: index, at: key) else { break }
            index = child
        }
        return index
    }

    private func child(of container: Int, holding target: Int) -> (key: PathKey, value: Int)? {
        let isObject = tokens[container].kind == .object
        var child = container + 1
        var count = 0
        while child < tokens.count {
            let value = isObject ? child + 1 : child
            let next = value < tokens.count ? Int(tokens[value].next) : 0
            if next == 0 || target < next {
                return (isObject ? PathKey(stringValue: string(at: child)) : PathKey(intValue: count), value)
            }
            child = next
            count += 1
        }
        return nil
    }

    private func child(of container: Int, at key: any CodingKey) -> Int? {
        switch tokens[container].kind {
        case .object:
            return name(key.stringValue.utf8.span, of: container).map { $0 + 1 }
        case .array:
            guard let wanted = key.intValue, wanted >= 0 else { return nil }
            var element = container + 1
            for _ in 0..<wanted where element < next(after: container) { element = next(after: element) }
            return element < next(after: container) ? element : nil
        default:
            return nil
        }
    }
}
