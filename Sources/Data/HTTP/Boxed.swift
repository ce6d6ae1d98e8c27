/// A value on the heap, for large values that many async functions pass on.
///
/// Every async function stores its own copies of a value in its frame, which lives as long as the function waits. Inline,
/// a request and its response made up most of the 50 KB that each queued request took; boxed, a copy is one pointer.
indirect enum Boxed<Value> {
    case boxed(Value)

    init(_ value: Value) {
        self = .boxed(value)
    }

    /// The value; changing it makes a new box.
    var value: Value {
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
