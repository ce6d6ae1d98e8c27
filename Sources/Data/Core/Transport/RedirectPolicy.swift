package import BrowseDomain
import Foundation

/// Follows redirects without leaking credentials.
///
/// URLSession isn't used for that, because on Linux it sends `Authorization` to other hosts. The
/// rules are those of the Fetch standard (section 4.4, "HTTP-redirect fetch"), but stricter:
/// another origin gets only ``HTTPHeaders/crossOriginNames``.
package enum RedirectPolicy {
    /// Sends a request and follows its redirects.
    package static func follow(
        _ request: HTTPClient.Request,
        send: (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
    ) async throws(BrowseError) -> HTTPClient.Response {
        var request = request
        var hops = 0
        var isChangeLost = false
        while true {
            var response = try await send(request)
            response.isChangeLost = isChangeLost
            guard let next = try next(after: response, to: request, hops: hops) else { return response }
            // After a 303, the server has processed the request (RFC 9110, section 15.4.4).
            isChangeLost = isChangeLost || response.status < 303 && next.method != request.method
            request = next
            hops += 1
        }
    }

    /// Returns the next request; `nil` if the response isn't a redirect.
    ///
    /// - Parameter hops: The number of redirects followed before.
    /// - Throws: `.refused` with the reason `.tooManyRedirects` or `.unreadableRedirect`;
    ///   `.unreachable(.intercepted)` if the redirect leads from https to http, or would send a
    ///   body to another origin. Captive portals send such redirects.
    static func next(
        after response: HTTPClient.Response,
        to request: HTTPClient.Request,
        hops: Int
    ) throws(BrowseError) -> HTTPClient.Request? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"]
        else { return nil }
        let limit = max(0, request.limits.redirects)
        guard hops < limit else { throw .refused(.tooManyRedirects(limit: limit), request.info) }
        guard let target = URL(lenient: location, relativeTo: request.url)?.absoluteURL, let to = Origin(target),
            target.user() == nil, let from = Origin(request.url),
            // In place of bytes that aren't UTF-8.
            !location.contains("\u{FFFD}")
        else { throw .refused(.unreadableRedirect, request.info) }
        // A request to this device must not be redirected to plain http on the network either.
        let isInsecure = (from.scheme == "https" && to.scheme == "http") || (from.isPrivate && !to.isPrivate)
        guard !isInsecure else { throw response.interception(of: request) }

        var next = request
        next.url = target
        if response.status == 303 || (response.status < 303 && request.method == .post) {
            next.method = .get
            next.body = nil
            // A server would decode a body that isn't there.
            next.headers = next.headers.filter { !$0.hasPrefix("content-") }
        }
        if from != to {
            // A body can contain a code or a client secret, so it isn't sent to another origin.
            guard next.body?.isEmpty ?? true else { throw response.interception(of: request) }
            let headers = next.headers
            next.headers = headers.filter { HTTPHeaders.crossOriginNames.contains($0) && !headers.isCredential($0) }
        }
        return next
    }
}
