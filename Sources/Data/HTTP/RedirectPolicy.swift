import BrowseDomain
import Foundation

/// Decides where a redirect leads and what goes along.
///
/// URLSession's own answer is not good enough: on Linux it carries `Authorization` to other hosts. The rules are those of
/// the Fetch standard (section 4.4, "HTTP-redirect fetch"), and stricter where credentials are at stake.
struct RedirectPolicy: Sendable {
    /// The most redirects for one request.
    let limit: Int

    /// Sends a request, and those to which its response redirects.
    func follow(
        _ request: HTTPRequest,
        send: (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var request = request
        for hops in 0... {
            let response = try await send(request)
            guard let next = try next(after: response, to: request, hops: hops) else { return response }
            request = next
        }
        // The policy ends the loop.
        throw .refused(.tooManyRedirects(limit: limit), request.info)
    }

    /// The request to send next, or `nil` when the response is not a redirect.
    ///
    /// - Parameter hops: How many redirects were followed before.
    func next(
        after response: HTTPResponse,
        to request: HTTPRequest,
        hops: Int
    ) throws(BrowseError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
            return nil
        }
        guard hops < limit else { throw .refused(.tooManyRedirects(limit: limit), request.info) }
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL, let to = Origin(target),
            target.user() == nil, let from = Origin(request.url)
        else { throw .refused(.unreadableRedirect, request.info) }
        // Nor does what was meant for this computer leave it for all to read.
        let isInsecure = (from.scheme == "https" && to.scheme == "http") || (from.isPrivate && !to.isPrivate)
        guard !isInsecure else { throw .refused(.insecureRedirect, request.info) }

        var next = request
        next.url = target
        let turnsIntoGet = response.status == 303 || (response.status < 303 && request.method == .post)
        if turnsIntoGet {
            next.method = .get
            next.body = nil
            next.headers["Content-Type"] = nil
            next.headers["Content-Length"] = nil
        }
        if from != to {
            // A body may hold a code or a client secret; it stays with the origin it was meant for.
            guard next.body == nil else { throw .refused(.insecureRedirect, request.info) }
            next.headers.removeCredentials()
        }
        return next
    }
}
