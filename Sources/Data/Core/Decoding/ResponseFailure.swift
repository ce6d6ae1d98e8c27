public import BrowseDomain

/// The failure of an endpoint's `decode`, which becomes a `BrowseError` with the request's
/// information.
public struct ResponseFailure: Error {
    let error: @Sendable (BrowseError.RequestInfo) -> BrowseError

    /// Creates a failure, such as that of a service which reports errors with a successful status.
    ///
    /// - Parameter error: Makes the error from the request's information.
    public init(_ error: @escaping @Sendable (BrowseError.RequestInfo) -> BrowseError) {
        self.error = error
    }

    /// Creates the failure of a response that can't be decoded.
    public init(_ reason: BrowseError.UnusableResponse) {
        error = { .unusableResponse(reason, $0) }
    }
}
