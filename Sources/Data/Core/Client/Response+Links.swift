@_spi(Services) public import BrowseDomain

extension HTTPClient.Response {
    /// The next page in the `Link` header (RFC 8288); `nil` if there is none.
    ///
    /// ```swift
    /// Endpoint<Page<String>>(.path("/books")) { response in
    ///     Page(items: try response.json([String].self), next: response.nextPage)
    /// }
    /// ```
    ///
    /// To fetch it, send ``Endpoint/Location/page(_:of:)``, which accepts only URLs of the service.
    public var nextPage: PageCursor? {
        headers["Link"].flatMap { LinkHeader($0, relativeTo: url)["next"] }.map(PageCursor.init(rawValue:))
    }

    /// Returns the page of an address in a body, which can be relative to the response's.
    @_spi(Services) public func page(at address: String) -> PageCursor {
        PageCursor(rawValue: LinkHeader.resolved(address, relativeTo: url))
    }
}
