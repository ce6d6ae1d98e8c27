public import BrowseDomain

extension HTTPClient.Response {
    /// Returns the page of an address in a body, which can be relative to the response's.
    ///
    /// The next page of an empty address is the end of the list.
    public func page(at address: String) -> PageCursor {
        PageCursor(rawValue: address.isEmpty ? address : LinkHeader.resolved(address, relativeTo: url))
    }
}
