import Foundation

/// Takes secrets out of what observers see.
enum Redaction {
    /// An address without user, password and fragment, and with the values of its query masked that are or look secret.
    static func address(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return mask }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        parts.percentEncodedQueryItems = parts.percentEncodedQueryItems?.map { item in
            let value = item.value?.removingPercentEncoding ?? item.value ?? ""
            guard secretNames.contains(item.name.lowercased()) || looksSecret(value) else { return item }
            return URLQueryItem(name: item.name, value: mask)
        }
        return parts.string ?? mask
    }

    /// Header fields, with the values masked that identify somebody or look secret.
    static func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        var result = HTTPHeaders()
        for (name, value) in headers.fields {
            if name == "location" || name == "content-location" {
                result[name] = URL(string: value).map(address) ?? mask
            } else {
                let isSecret = HTTPHeaders.credentialNames.contains(name) || looksSecret(value)
                result[name] = isSecret ? mask : value
            }
        }
        return result
    }

    private static var mask: String { "***" }

    /// Parameters of OAuth (RFC 6749, 7636, 8628) and names that tokens travel under.
    private static let secretNames: Set<String> = [
        "access_token", "client_secret", "code", "code_verifier", "device_code", "password", "refresh_token", "secret",
        "state", "token", "user_code",
    ]

    /// Whether a text has the form of one of GitHub's tokens, or of a web token.
    private static func looksSecret(_ text: String) -> Bool {
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "eyJ"].contains { text.contains($0) }
    }
}
