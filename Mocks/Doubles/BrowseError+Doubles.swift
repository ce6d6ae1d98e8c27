public import BrowseDomain

extension BrowseError {
    /// Reports a call of a closure that isn't set, as an issue of a test with the trait `.verifiesMocks`.
    ///
    /// - Parameters:
    ///   - closure: The name of the property.
    ///   - double: The name of the type.
    ///   - parameters: The number of the closure's parameters.
    /// - Returns: An error that isn't shown as a lost connection, with the report as its message.
    @usableFromInline
    static func notSetUp(_ closure: String, of double: String, parameters: Int = 1) -> BrowseError {
        let list = parameters == 0 ? "()" : [String](repeating: "_", count: parameters).joined(separator: ", ")
        let report =
            "\(double).\(closure) was called but is not set. "
            + "Set it: double.\(closure) = { \(list) throws(BrowseError) in throw .cancelled }"
        TestScope.current?.record(report)
        return .rejected(RequestInfo(endpoint: "\(double).\(closure)", serverMessage: report))
    }

    /// Waits until the task is canceled, and returns the error to throw.
    static func whenCancelled() async -> BrowseError {
        await Monitor(()).wait { false }
        return .cancelled
    }
}
