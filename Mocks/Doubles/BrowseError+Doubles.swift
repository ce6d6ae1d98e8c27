public import BrowseDomain

extension BrowseError {
    /// The error of a call that a test did not expect; its detail says what to write.
    @usableFromInline
    static func notSetUp(_ closure: String, of double: String) -> BrowseError {
        .unreachable(
            .other(
                code: 0,
                detail: "\(double).\(closure) was called but is not set. "
                    + "Set it: \(double)(\(closure): { … }), or use .failing(with:), .never or .held(_:)."
            ),
            RequestInfo(endpoint: "\(double).\(closure)")
        )
    }

    /// Waits until the task is canceled, and is what to throw then.
    static func whenCancelled() async -> BrowseError {
        await Monitor(()).wait { false }
        return .cancelled
    }
}
