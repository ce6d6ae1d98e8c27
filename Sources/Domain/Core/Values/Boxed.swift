/// A value on the heap, for large values that many async functions pass along.
///
/// Every async function copies its values into its frame, which exists while the function is suspended. Requests and responses
/// were most of the 50 KB that a queued request took; boxed, each copy is one pointer.
package indirect enum Boxed<Value> {
    case boxed(Value)

    package init(_ value: Value) {
        self = .boxed(value)
    }

    /// The value; setting it allocates a new box.
    package var value: Value {
        get {
            switch self {
            case .boxed(let value): value
            }
        }
        set { self = .boxed(newValue) }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
