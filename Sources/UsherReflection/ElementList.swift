/// A collection of the standard library, whose elements are not stored properties of the collection.
protocol ElementList {
    static var elementTypes: [Any.Type] { get }

    /// Calls `visit` with the type and place of each element of the collection at `place`, until `visit` returns
    /// `false`.
    static func visitElements(ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool)
}

extension ElementList {
    fileprivate static func withValue(at place: UnsafeRawPointer?, _ body: (Self) -> Void) {
        if let value = unsafe place?.assumingMemoryBound(to: Self.self) { unsafe body(value.pointee) }
    }

    fileprivate static func visit<Value>(_ value: Value, _ visit: (Any.Type, UnsafeRawPointer) -> Bool) -> Bool {
        unsafe withUnsafePointer(to: value) { unsafe visit(Value.self, UnsafeRawPointer($0)) }
    }
}

extension ElementList where Self: Sequence {
    fileprivate static func visitEach(
        ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool
    ) {
        guard HoldingTypes.contain(Self.self) else { return }
        unsafe withValue(at: place) { list in
            for element in list where unsafe !Self.visit(element, visit) { return }
        }
    }
}

extension Array: ElementList {
    static var elementTypes: [Any.Type] { [Element.self] }

    static func visitElements(ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool) {
        unsafe visitEach(ofValueAt: place, visit)
    }
}

extension ArraySlice: ElementList {
    static var elementTypes: [Any.Type] { [Element.self] }

    static func visitElements(ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool) {
        unsafe visitEach(ofValueAt: place, visit)
    }
}

extension ContiguousArray: ElementList {
    static var elementTypes: [Any.Type] { [Element.self] }

    static func visitElements(ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool) {
        unsafe visitEach(ofValueAt: place, visit)
    }
}

extension Set: ElementList {
    static var elementTypes: [Any.Type] { [Element.self] }

    static func visitElements(ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool) {
        unsafe visitEach(ofValueAt: place, visit)
    }
}

extension Dictionary: ElementList {
    static var elementTypes: [Any.Type] { [Key.self, Value.self] }

    static func visitElements(ofValueAt place: UnsafeRawPointer?, _ visit: (Any.Type, UnsafeRawPointer) -> Bool) {
        unsafe visitEach(ofValueAt: place, visit)
    }
}
