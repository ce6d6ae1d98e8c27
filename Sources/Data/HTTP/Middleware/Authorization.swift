public import BrowseDomain
public import Foundation

/// Puts the access token on requests to the API's own origin, and on no others.
public struct Authorization: HTTPMiddleware {
    private let origin: Origin?
    private let token: @Sendable () async -> GitHub.AccessToken?

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - baseURL: The API whose origin may see the token.
    ///   - token: Asked before each request; `nil` sends it without one.
    public init(for baseURL: URL, token: @escaping @Sendable () async -> GitHub.AccessToken?) {
        origin = Origin(baseURL)
        self.token = token
    }

    /// Hands the request on with the token, when there is one and the request goes to its origin.
    public func send(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard origin != nil, Origin(request.url) == origin, let token = await token() else {
            return try await next(request)
        }
        var request = request
        request.headers["Authorization"] = "Bearer \(token.secret)"
        return try await next(request)
    }
}
