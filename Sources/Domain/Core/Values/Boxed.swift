/// A value on the heap, for large values that many async functions pass along.
///
/// Every async function copies its values into its frame, which exists while the function is suspended. Requests and responses
/// were most of the 50 KB that a queued request took; boxed, each copy is one pointer.
///
/// The box is a class, and not an indirect case: reading a property through a case copies the whole value into the frame.
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    package init(_ value: Value) { box = Box(value) }

    /// The value.
    package var value: Value { _read { yield box.value } }

    /// Replaces the box by one with a changed value.
    ///
    /// Not inlined, so that the caller's frame needs no space for the value.
    @inline(never)
    package mutating func update(_ change: (inout Value) -> Void) {
        var value = box.value
        change(&value)
        box = Box(value)
    }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.box === right.box || left.value == right.value }
}

extension Boxed: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
