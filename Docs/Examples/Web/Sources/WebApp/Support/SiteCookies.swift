import Foundation
import HTTPTypes
import Hummingbird

/// The cookies of a site, which scripts can't read.
///
/// Browsers accept names with the prefix `__Host-` only with `Secure` and `Path=/` and without `Domain` (RFC 6265bis, section
/// 4.1.3.2), so neither another host nor plain http can set one. WebKit accepts no `Secure` cookie over http, not even on this
/// machine, so a site whose own origin is http on loopback has neither the prefix nor `Secure`.
struct SiteCookies: Sendable {
    enum Name: String {
        /// The signed ``VisitorID``.
        case visitor
        case language, theme
        /// The page that asked to sign in.
        case origin
        /// The page that a form of a browser without scripts was sent from last.
        ///
        /// The browser shows its answer at the address of actions.
        case place
        /// The next page shows the outcome of an action before the sign-in.
        case arrival
    }

    private static let loopback: Set = ["127.0.0.1", "localhost", "[::1]"]

    private let isSecure: Bool

    /// Creates the cookies of a site with an origin.
    init(origin: URL) {
        isSecure = origin.scheme != "http" || !Self.loopback.contains(origin.hostInAuthority)
    }

    func name(of name: Name) -> String { (isSecure ? "__Host-" : "") + name.rawValue }

    func value(of name: Name, in request: Request) -> String? { request.cookies[self.name(of: name)]?.value }

    /// Returns the values of all cookies with a name, whose order says nothing (RFC 6265, section 5.4).
    func values(of name: Name, in request: Request) -> [String] {
        request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .compactMap { Cookies(from: [String($0)])[self.name(of: name)]?.value }
    }

    /// Returns a cookie with a lifetime in seconds.
    func setting(_ name: Name, to value: String, for seconds: Int) -> Cookie {
        Cookie(
            name: self.name(of: name),
            value: value,
            maxAge: seconds,
            path: "/",
            secure: isSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }

    func removing(_ name: Name) -> Cookie { setting(name, to: "", for: 0) }

    /// Returns the cookie of a visitor's choice, which lasts for a year.
    func choosing(_ name: Name, _ value: String) -> Cookie { setting(name, to: value, for: 31_536_000) }
}
