/// A property whose value is stored outside of the view.
public protocol DynamicProperty {}

/// A value that all copies of a view share.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    private final class Storage {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let storage: Storage

    /// Creates the property with an initial value.
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// Creates the property with an initial value.
    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// The value.
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        Binding(get: { storage.value }, set: { storage.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Creates the property with the value nil.
    public init() {
        self.init(wrappedValue: nil)
    }
}

/// A reference to a value that is stored elsewhere.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
    private let get: () -> Value
    private let set: (Value) -> Void

    /// Creates a binding from closures.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }

    /// Creates a binding from another binding.
    public init(projectedValue: Binding<Value>) {
        self = projectedValue
    }

    /// Returns a binding to a value that does not change.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// The value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding to a part of the value.
    public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(
            get: { get()[keyPath: keyPath] },
            set: { part in
                var value = get()
                value[keyPath: keyPath] = part
                set(value)
            })
    }
}

/// An object that a view creates on first use.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    private final class Storage {
        private let make: () -> ObjectType
        private(set) lazy var object = make()

        init(_ make: @escaping () -> ObjectType) {
            self.make = make
        }
    }

    private let storage: Storage

    /// Creates the property; the object is created on first use.
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
        storage = Storage(thunk)
    }

    /// The object.
    public var wrappedValue: ObjectType { storage.object }

    /// The bindings to the object's properties.
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject.Wrapper(object: wrappedValue) }
}

/// An object that is passed to a view.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    /// The object.
    public var wrappedValue: ObjectType

    /// Creates the property with an object.
    public init(wrappedValue: ObjectType) {
        self.wrappedValue = wrappedValue
    }

    /// Creates the property with an object.
    public init(initialValue: ObjectType) {
        wrappedValue = initialValue
    }

    /// The bindings to the object's properties.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    /// The bindings to an object's properties.
    @dynamicMemberLookup
    public struct Wrapper {
        let object: ObjectType

        /// A binding to a property.
        public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Value>) -> Binding<Value> {
            Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
        }
    }
}

/// An object that `environmentObject(_:)` passes to a view.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty, EnvironmentReader {
    private final class Storage {
        var object: ObjectType?
    }

    private let storage = Storage()

    /// Creates the property.
    public init() {}

    /// The object; nil if no object was passed to the view, which is a crash on a phone.
    public var wrappedValue: ObjectType? { storage.object }

    func take(_ object: AnyObject) {
        if let object = object as? ObjectType { storage.object = object }
    }
}

/// A property that receives an object.
private protocol EnvironmentReader {
    func take(_ object: AnyObject)
}

extension View {
    /// Passes an object to the view's `@EnvironmentObject` properties of the object's type.
    public func environmentObject<T: ObservableObject>(_ object: T) -> ModifiedView<Self> {
        for property in Mirror(reflecting: (self as? any ErasingView)?.wrapped ?? self).children {
            (property.value as? any EnvironmentReader)?.take(object)
        }
        return ModifiedView(base: self)
    }
}
