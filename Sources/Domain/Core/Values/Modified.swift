/// Returns a copy of a value with a change.
package func modified<Value, Failure>(
    _ value: Value,
    _ change: (inout Value) throws(Failure) -> Void
) throws(Failure) -> Value {
    var copy = value
    try change(&copy)
    return copy
}
