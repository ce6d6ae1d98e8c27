@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// The rules for the contents of a recording; the default removes credentials.
///
/// Header fields are removed unless they are listed, and usernames and passwords are removed from
/// URLs. Secret strings, such as tokens and passwords, are replaced by placeholders, such as
/// `SECRET-5d0c1f7e-91ab03c4`: wherever they occur if they have eight or more characters, otherwise
/// in their own fields, as is a state or code that is a word, such as `?state=resolved`. A
/// placeholder consists of a random key of the recording, and of a digest of key and secret, so
/// that a replay distinguishes secrets that it can't read.
///
/// Data about people and apps, such as names, e-mail addresses, and client IDs, stays unless
/// ``replacements`` has it.
///
/// ```swift
/// var rules = RecordingRules()
/// rules.secretFields.insert("session_key")
/// rules.replacements["mona@example.com"] = "user@example.com"
/// ```
public struct RecordingRules: Hashable, Sendable {
    /// The names of the header fields to keep, in any case.
    ///
    /// Fields with credentials are removed even if they are listed. Of other fields with a prefix
    /// in ``provingPrefixes``, only the name stays.
    public var keptHeaders: Set<String> = [
        "accept", "cache-control", "content-language", "content-type", "etag", "last-modified", "link", "location",
        "retry-after", "vary", "www-authenticate", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
        "x-ratelimit-resource", "x-ratelimit-used", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset",
        "x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset",
        "x-accepted-github-permissions", "x-accepted-oauth-scopes", "x-oauth-scopes",  // Source: GitHub's 403.
    ]
    /// The prefixes of header fields that prove that a response is the service's, in any case.
    ///
    /// Without the fields, a replayed error would count as a proxy's.
    public var provingPrefixes: [String] = ["x-github-"]  // Source: GitHub's recorded 4xx.
    /// The names of secret members of JSON bodies, query items, and form fields, in any case.
    ///
    /// The default has each name without underscores, such as `accessToken`, and with hyphens, too.
    public var secretFields: Set<String> = Set(
        [
            "access_key", "access_token", "access_token_secret", "api_key", "api_secret", "app_secret", "assertion",
            "auth_token", "authenticity_token", "bearer_token", "client_assertion", "client_secret", "code_verifier",
            "consumer_secret", "csrf_token", "device_code", "encryption_key", "id_token", "id_token_hint", "jwt",
            "oauth_token", "oauth_token_secret", "oauth_verifier", "passphrase", "passwd", "password", "private_key",
            "private_token", "refresh_token", "saml_response", "secret", "secret_access_key", "secret_key",
            "secret_token", "session_id", "session_token", "sig", "signature", "signing_key", "signing_secret", "token",
            "user_code", "webhook_secret",
            // Signed addresses of stores, to which services redirect.
            "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-goog-credential", "x-goog-signature",
        ]
        .flatMap { name in [name, name.filter { $0 != "_" }, name.replacing("_", with: "-")] }
    )
    /// The names of query items and form fields that are secret, but ordinary in JSON, in any case.
    public var secretParameters: Set<String> = ["appid", "auth", "code", "code_challenge", "state"]
    /// The names of form fields whose values a replay ignores, in any case.
    ///
    /// They differ in each sign-in, or on each computer.
    public var ignoredParameters: Set<String> = [
        "assertion", "client_assertion", "client_secret", "code", "code_challenge", "code_verifier", "state",
    ]
    /// The prefixes of tokens, which are replaced wherever they occur.
    public var tokenPrefixes: [String] = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "eyJ"]
    /// Other texts to replace, such as e-mail addresses or the URL of a test server.
    public var replacements: [String: String] = [:]

    /// Creates the default rules.
    public init() {}

    /// The rules with the names in lowercase, in which they are compared.
    var lowercased: RecordingRules {
        var rules = self
        for names in [\RecordingRules.keptHeaders, \.secretFields, \.secretParameters, \.ignoredParameters] {
            rules[keyPath: names] = Set(rules[keyPath: names].map { $0.lowercased() })
        }
        rules.provingPrefixes = provingPrefixes.map { $0.lowercased() }
        return rules
    }

    /// Removes secrets from recorded exchanges.
    func cleaned(_ exchanges: [Recording.Exchange], key: String) -> [Recording.Exchange] {
        var secrets = RecordingSecrets(self, key: key)
        for exchange in exchanges { secrets.collect(from: exchange) }
        secrets.finish()
        return exchanges.map { secrets.cleaned($0) }
    }

    /// Returns the identity of a request, with placeholders instead of secrets.
    ///
    /// - Parameter headers: Name secrets that the URL and the body can have, too.
    func identity(
        method: HTTPMethod,
        url: URL,
        headers: HTTPHeaders = [:],
        body: Data?,
        key: String
    ) -> RequestIdentity {
        let exchange = Recording.Exchange(
            method: method,
            url: url,
            headers: headers,
            // A client chooses the boundary of a multipart form at random.
            body: body.map { RecordedText(bytesOf: $0).withoutBoundary },
            outcome: .failure(.unknown),
            completion: 0
        )
        var secrets = RecordingSecrets(self, key: key)
        secrets.collect(from: exchange)
        secrets.finish()
        let cleaned = secrets.cleaned(exchange)
        let bytes = cleaned.body ?? Data()
        let text = String(data: bytes, encoding: .utf8) ?? bytes.base64EncodedString()
        return RequestIdentity(method: method, url: cleaned.url, body: text, ignoring: ignoredParameters)
    }
}
