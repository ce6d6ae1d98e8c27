package import BrowseDomain
package import Foundation

/// Sets the account of requests to a service's origin, by which everything below tells requests
/// apart.
///
/// Requests to other origins have no account. Those over http are refused, except on this device. A
/// read fails with `.unauthorized` if its account signs out before the response arrives.
package struct RequestAccount: HTTPMiddleware {
    private let origin: Origin?
    private let tokens: any AccessTokens

    package init(for baseURL: URL, tokens: any AccessTokens) {
        origin = Origin(baseURL)
        self.tokens = tokens
    }

    package func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        guard Origin(request.url) == origin, let account = try await tokens.account() else {
            do throws(BrowseError) {
                return try await next(request)
            } catch .rateLimited(let limit, var info) {
                info.hadNoCredentials = true
                throw .rateLimited(limit, info)
            }
        }
        guard origin?.isPrivate == true else { throw .refused(.invalidConfiguration, request.info) }
        var owned = request
        owned.account = account
        owned.isAuthorized = true
        let response = try await next(owned)
        // A write has taken effect, and a 401 can be the reason of the sign-out.
        guard request.isRead, response.status != 401 else { return response }
        let current = await Result.of { [tokens] () throws(BrowseError) in try await tokens.account() }
        // A provider that fails says nothing about the account.
        if case .success(let current) = current, current != account { throw .unauthorized(request.info) }
        return response
    }
}
