public import BrowseDomain

/// The header fields that sign an account in to a service, with the account's identifier.
///
/// Pass them to a client of your own service. Responses are then cached for this account only, and
/// ``ResponseCache/removeAll(of:)`` erases them when it signs out. Descriptions show `***` in place of the values of the fields.
public struct AccountCredentials: Hashable, Sendable {
    /// A nonsecret identifier of the account, such as a user ID; responses aren't cached if it's empty.
    public let account: String
    /// The header fields.
    public let headers: HTTPHeaders

    /// Creates credentials in header fields of any name, such as `["X-Api-Key": key]`.
    public init(account: String, headers: HTTPHeaders) {
        self.account = account
        var headers = headers
        headers.declareCredentials(Set(headers.fields.keys))
        self.headers = headers
    }

    /// Creates credentials with a token in `Authorization: Bearer`.
    public init(account: String, bearer token: Secret) {
        self.init(account: account, headers: ["Authorization": "Bearer \(token.text)"])
    }
}

/// Adds credentials and their account to the requests for one origin.
///
/// One call returns both, so that a token is never sent with another account.
package struct AccountAuthorization: HTTPMiddleware {
    private let origin: Origin?
    private let credentials: @Sendable () async throws(BrowseError) -> AccountCredentials?

    package init(
        for service: HTTPClient.Service,
        _ credentials: @escaping @Sendable () async throws(BrowseError) -> AccountCredentials?
    ) {
        origin = Origin(service.baseURL)
        self.credentials = credentials
    }

    package func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard Origin(request.url) == origin, let credentials = try await credentials() else {
            return try await next(request)
        }
        var request = request
        request.headers.merge(credentials.headers)
        request.account = credentials.account
        return try await next(request)
    }
}
