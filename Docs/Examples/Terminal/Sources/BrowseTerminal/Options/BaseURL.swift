import ArgumentParser
package import Foundation

/// The base URL of an API.
package enum BaseURL {
    /// Parses an http or https URL with a host, and without a password, query, or fragment.
    ///
    /// - Throws: `ValidationError`.
    package static func parse(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else { throw ValidationError("--base-url requires a URL such as https://HOST/api/v3.") }
        guard url.user() == nil, url.password() == nil else {
            throw ValidationError("--base-url can't contain a user name or password; use --token-env.")
        }
        guard url.query() == nil, url.fragment() == nil else {
            throw ValidationError("--base-url can't contain a query or fragment.")
        }
        return url
    }

    /// Returns whether secrets can be sent to a URL, over https or to this machine.
    package static func isPrivate(_ url: URL) -> Bool {
        guard url.scheme?.lowercased() != "https" else { return true }
        guard let host = url.host()?.lowercased() else { return false }
        return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }
}
