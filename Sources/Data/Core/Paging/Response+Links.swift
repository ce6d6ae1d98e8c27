@_spi(Services) public import BrowseDomain

extension HTTPClient.Response {
    /// Returns the page of an address in a body, which can be relative to the response's.
    @_spi(Services) public func page(at address: String) -> PageCursor {
        PageCursor(rawValue: LinkHeader.resolved(address, relativeTo: url))
    }
}
