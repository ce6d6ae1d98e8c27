import BrowseDomain
import Foundation

extension HTTPClient.Service {
    /// The evidence that an error is the service's own word.
    ///
    /// Proxies, gateways, and captive portals respond in a service's place. Of a success, the shape
    /// that the endpoint expects decides, and a 5xx needs no evidence. Any other error without it
    /// fails with `.unreachable(.intercepted)`: it removes nothing from a cache, sets no limit, and
    /// ends no session.
    public struct Evidence: Sendable {
        /// The realm of the service's challenges, in any case, such as `Example`; `nil` if it
        /// has none.
        ///
        /// A 401 with this realm, but without other evidence, asks the person to sign in.
        public var realm: String?
        /// Whether no other service has such evidence, so that it counts after a redirect, too.
        public var isUnique: Bool = false
        /// Returns whether a response proves that it's the service's own.
        public var isProven: @Sendable (HTTPClient.Response) -> Bool
        /// Returns whether a 401 says that no token arrived; by default, none does.
        ///
        /// If one was sent, a proxy has removed it, and the session stays.
        public var lacksToken: @Sendable (HTTPClient.Response) -> Bool = { _ in false }

        /// Creates a rule of a service's own.
        public init(realm: String? = nil, isProven: @escaping @Sendable (HTTPClient.Response) -> Bool) {
            self.realm = realm
            self.isProven = isProven
        }

        /// Returns the rule of most services: a challenge for a token, or else JSON without one.
        ///
        /// A 429 needs no body, and no JSON if it has `Retry-After`.
        ///
        /// - Parameters:
        ///   - type: Another media type that the service uses for JSON, in lowercase.
        ///   - scheme: The scheme of the service's challenges, in lowercase.
        ///   - realm: The realm of the service's challenges.
        public static func json(alsoAs type: String? = nil, scheme: String = "bearer", realm: String? = nil) -> Self {
            Evidence(realm: realm) { response in
                let schemes = response.challengeSchemes
                guard schemes.isEmpty else { return schemes.contains(scheme) }
                let isJSON = response.mediaType.map { $0 == type || HTTPClient.Response.isJSON($0) }
                // A limit at a service's edge can lack a body, and therefore a type. One that names
                // its end is often a sentence or a page (RFC 6585, section 4).
                if response.status == 429, response.headers["Retry-After"] != nil || response.isBare { return true }
                return isJSON == true && !response.isPage && !(response.body.isEmpty && response.status == 401)
            }
        }

        /// Returns a response whose status counts.
        ///
        /// - Throws: `.unreachable` with the reason `.intercepted`, or `.moved` if a service with
        ///   unique evidence has redirected to another server of the same kind.
        func checked(
            _ response: HTTPClient.Response,
            to request: HTTPClient.Request,
            at now: Date
        ) throws(BrowseError) -> HTTPClient.Response {
            let isElsewhere = Origin(response.url).map { $0 != Origin(request.url) } ?? false
            switch response.status {
            case 200..<300, 500..<511, 512..<600: return response
            // It confirms a validator.
            case 304 where request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil:
                return response
            case 407, 511: throw response.interception(of: request, at: now)
            case 401 where !isElsewhere && request.isAuthorized && lacksToken(response):
                return modified(response) { $0.doubt = .foreign }
            // Elsewhere, JSON or a challenge can be those of any server.
            case _ where isProven(response) && (!isElsewhere || isUnique):
                // The token is good (RFC 6750, section 3.1).
                let challenge = (response.headers["WWW-Authenticate"] ?? "").filter { $0 != "\"" && $0 != " " }
                let lacksScope = response.status == 401 && challenge.contains("error=insufficient_scope")
                guard isElsewhere else { return modified(response) { if lacksScope { $0.status = 403 } } }
                let info = BrowseError.RequestInfo(endpoint: request.endpoint, status: response.status)
                throw .unreachable(.moved(to: ShownText.host(of: response.url)), info)
            case 401 where !isElsewhere && (request.isAuthorized || response.namesRealm(realm)):
                return modified(response) { $0.doubt = response.namesRealm(realm) ? .unproven : .foreign }
            default: throw response.interception(of: request, at: now)
            }
        }
    }
}

extension HTTPClient.Response {
    /// The reason to doubt a 401.
    enum Doubt {
        /// It names the service, but isn't proven.
        case unproven
        /// Nothing says that it's the service's.
        case foreign
    }

    /// Returns the error of a response in the service's place, with the time in `Retry-After`.
    func interception(of request: HTTPClient.Request, at now: Date? = nil) -> BrowseError {
        let retryAt = now.flatMap { RetryAfter.date(headers, now: $0) }
        let info = BrowseError.RequestInfo(endpoint: request.endpoint, status: status) {
            $0.retryAt = retryAt
            $0.host = host(insteadOf: request.url)
        }
        return .unreachable(.intercepted, info)
    }

    /// The host that responded after a redirect; `nil` if it's the one that was asked.
    func host(insteadOf asked: URL) -> String? { Origin(url) == Origin(asked) ? nil : ShownText.host(of: url) }

    /// Whether there is neither a body nor a type.
    @_spi(Services) public var isBare: Bool { body.isEmpty && mediaType == nil }

    /// Whether the body is a page, which can have the media type of other responses.
    var isPage: Bool {
        let isText: (UInt8) -> Bool = { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return mediaType == "text/html" || body.first(where: isText) == UInt8(ascii: "<")
    }

    /// The lowercase schemes in `WWW-Authenticate` (RFC 9110, section 11.6.1).
    fileprivate var challengeSchemes: [String] {
        // Without quoted strings, which can contain commas.
        let text = (headers["WWW-Authenticate"] ?? "").split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        return text.split(separator: ",").compactMap { part in
            let word = part.split(whereSeparator: \.isWhitespace).first?.lowercased()
            // A parameter isn't a scheme.
            return word.flatMap { $0.contains("=") ? nil : $0 }
        }
    }

    /// Whether a challenge has a realm, or one that begins with its words.
    fileprivate func namesRealm(_ realm: String?) -> Bool {
        guard let realm = realm?.lowercased(), let text = headers["WWW-Authenticate"]?.lowercased() else {
            return false
        }
        // Recipients must accept white space there (RFC 9110, sections 5.6.3 and 11.2).
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmingWhitespace)
        return parts.joined(separator: "=").components(separatedBy: "realm=").dropFirst().contains { part in
            let value = part.first == "\"" ? part.dropFirst().prefix { $0 != "\"" } : part.prefix { $0 != "," }
            return value == realm || value.hasPrefix(realm + " ")
        }
    }
}

extension BrowseError {
    /// Returns the error with the host, if its message names it.
    func naming(_ url: URL) -> BrowseError {
        guard case .unreachable(let reason, var info) = self else { return self }
        switch reason {
        case .hostNotFound, .notSecure: break
        case .offline where Origin(url)?.isLocal == true: break
        default: return self
        }
        info.host = ShownText.host(of: url)
        return .unreachable(reason, info)
    }
}
