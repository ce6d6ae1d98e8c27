import ArgumentParser
package import Foundation

/// Checks the address of an API.
package enum BaseURL {
    /// - Throws: `ValidationError` unless it is an http or https address with a host, and nothing that would be lost or leak.
    package static func parse(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else { throw ValidationError("--base-url takes an address such as https://HOST/api/v3.") }
        guard url.user() == nil, url.password() == nil else {
            throw ValidationError("--base-url takes no name or password; use --token-env.")
        }
        guard url.query() == nil, url.fragment() == nil else {
            throw ValidationError("--base-url takes no query or fragment.")
        }
        return url
    }

    /// Whether a secret may be sent there: nobody between can read it.
    package static func isPrivate(_ url: URL) -> Bool {
        guard url.scheme?.lowercased() != "https" else { return true }
        guard let host = url.host()?.lowercased() else { return false }
        return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }
}
