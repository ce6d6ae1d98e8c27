import HTTPTypes

/// Refuses requests that other sites let a browser send.
struct OriginPolicy: Sendable {
    enum Refusal: Error, Hashable {
        /// The request is for another host. A site whose name resolves to this server ("DNS rebinding") sends such requests.
        /// The status is 421.
        case unknownHost
        /// A page of another site sent the request. The status is 403.
        case otherSite
    }

    /// The names of this server without ports, in lowercase.
    let hosts: Set<String>

    /// Checks a request, and returns its host without the port.
    ///
    /// Reads must not come from another site, except navigation, which links need. Writes must come from a page of this server:
    /// browsers say so in `Sec-Fetch-Site` and `Origin`. If both are missing, as from tools, ``FormTokens`` decide.
    ///
    /// - Parameter origin: The origin, such as `https://example.org`, which a proxy may hide from this server.
    /// - Returns: The host without its port.
    /// - Throws: ``Refusal``.
    func check(_ request: HTTPRequest, origin publicOrigin: String? = nil) throws(Refusal) -> String {
        let authority = request.authority?.lowercased() ?? ""
        let host = Self.host(of: authority)
        guard hosts.contains(host) else { throw .unknownHost }
        let site = request.headerFields[.secFetchSite]
        if [.get, .head].contains(request.method) {
            let isNavigation = request.headerFields[.secFetchMode] == "navigate"
            guard site != "cross-site" && site != "same-site" || isNavigation else { throw .otherSite }
        } else {
            guard site == nil || site == "same-origin" else { throw .otherSite }
            let origin = request.headerFields[.origin]
            // Without a referrer, a browser sends "null" with the site's own forms; so does a sandboxed page of any site.
            guard
                origin == nil || origin == "null" && site == "same-origin"
                    || [publicOrigin, "https://\(authority)", "http://\(authority)"].contains(origin)
            else { throw .otherSite }
        }
        return host
    }

    private static func host(of authority: String) -> String {
        // The last colon is part of an IPv6 address if a bracket follows.
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return authority }
        return String(authority[..<colon])
    }
}

extension HTTPField.Name {
    static let secFetchSite = parsed("Sec-Fetch-Site")
    static let secFetchMode = parsed("Sec-Fetch-Mode")

    /// Returns a name for which HTTPTypes has no constant.
    static func parsed(_ name: StaticString) -> HTTPField.Name {
        guard let parsed = HTTPField.Name(name.description) else { preconditionFailure("\(name) isn't a field name") }
        return parsed
    }
}
