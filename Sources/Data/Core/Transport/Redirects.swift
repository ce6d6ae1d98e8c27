package import BrowseDomain
package import Foundation

/// Follows redirects without leaking credentials.
///
/// URLSession isn't used for that, because on Linux it sends `Authorization` to other hosts. The rules are those of the
/// Fetch standard (section 4.4, "HTTP-redirect fetch"), but stricter: another origin gets only ``HTTPHeaders/crossOriginNames``.
package enum RedirectPolicy {
    /// Sends a request and follows its redirects.
    package static func follow(
        _ request: HTTPClient.Request,
        send: (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
    ) async throws(BrowseError) -> HTTPClient.Response {
        var request = request
        var hops = 0
        while true {
            let response = try await send(request)
            guard let next = try next(after: response, to: request, hops: hops) else { return response }
            request = next
            hops += 1
        }
    }

    /// Returns the next request; `nil` if the response isn't a redirect.
    ///
    /// - Parameter hops: The number of redirects followed before.
    /// - Throws: `.refused` with the reason `.tooManyRedirects`, `.unreadableRedirect`, or `.insecureRedirect`.
    static func next(after response: HTTPClient.Response, to request: HTTPClient.Request, hops: Int) throws(BrowseError)
        -> HTTPClient.Request?
    {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
            return nil
        }
        let limit = max(0, request.limits.redirects)
        guard hops < limit else { throw .refused(.tooManyRedirects(limit: limit), request.info) }
        guard let target = URL(lenient: location, relativeTo: request.url)?.absoluteURL, let to = Origin(target),
            target.user() == nil, let from = Origin(request.url)
        else { throw .refused(.unreadableRedirect, request.info) }
        // A request to this device must not be redirected to plain http on the network either.
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
            // A body can contain a code or a client secret, so it isn't sent to another origin.
            guard next.body == nil else { throw .refused(.insecureRedirect, request.info) }
            next.headers.restrictToCrossOrigin()
        }
        return next
    }
}

/// The scheme, host, and port of a URL, the scope of credentials (RFC 6454).
package struct Origin: Hashable, Sendable {
    package let scheme: String
    let host: String
    let port: Int

    /// Creates the origin of an http or https URL; `nil` for others.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty else {
            return nil
        }
        // `URL.port` is `nil` for a port that's too large, which isn't the default port.
        guard url.port != nil || !Self.namesPort(url) else { return nil }
        switch scheme {
        case "https": port = url.port ?? 443
        case "http": port = url.port ?? 80
        default: return nil
        }
        self.scheme = scheme
        self.host = host
    }

    /// Whether the authority contains a port.
    private static func namesPort(_ url: URL) -> Bool {
        let authority = url.absoluteString.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        // An IPv6 address contains colons inside brackets.
        let end = host.lastIndex(of: "]") ?? host.startIndex
        return host[end...].split(separator: ":", maxSplits: 1).count > 1
    }
}

extension Origin {
    /// Whether secrets can be sent to the origin: it uses https, or is on this device.
    package var isPrivate: Bool { scheme == "https" || isLoopback }

    var isLoopback: Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) }

    /// The origin as text, without the scheme's default port.
    package var text: String { "\(scheme)://\(authority)" }

    /// The host and port as in a URL, without the scheme's default port.
    var authority: String {
        let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
        return (isBareIPv6 ? "[\(host)]" : host) + (port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)")
    }
}
