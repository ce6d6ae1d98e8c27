@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// Maps error responses of GitHub.
///
/// Sources: GitHub's "Rate limits for the REST API" and "Troubleshooting the REST API", and
/// recorded responses.
enum GitHubFailure {
    static func error(for response: HTTPClient.Response, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let dto = try? response.decoded(ErrorDTO.self)
        let message = dto?.message
        var info = info.reporting(dto?.description)
        if [403, 429].contains(response.status), let limit = rateLimit(for: response, dto, now: now) {
            return .rateLimited(limit, info)
        }
        info.denial = denial(of: response, dto, isRead: info.endpoint.hasPrefix("GET "))
        info.rejection = rejection(status: response.status, message: message)
        // GitHub responds with 404 to a change that the token doesn't permit.
        if case .missingPermission = info.denial { return .forbidden(info) }
        return BrowseError(status: response.status, info: info)
    }

    /// The reason for a 400, 410, or 422; `nil` if it's unknown.
    ///
    /// GitHub closes a version of the API with 410, and Enterprise Server with 400. A 410 with
    /// another sentence is about a resource, such as issues that are disabled. Source: GitHub's
    /// "API Versions".
    private static func rejection(status: Int, message: String?) -> BrowseError.Rejection? {
        let text = message?.lowercased() ?? ""
        return switch status {
        case 410 where text.isEmpty || text.contains("version"): .appVersion
        case 400 where text.contains("not a supported version"): .appVersion
        case 422 where text.contains("pagination is limited") || text.contains("search results are available"):
            .pageLimit
        default: nil
        }
    }

    /// The reason for a 403, 404, or 451; `nil` if GitHub names none.
    ///
    /// Sources: GitHub's "Scopes for OAuth apps", "Authenticating with SAML single sign-on", and
    /// "Troubleshooting the REST API".
    private static func denial(
        of response: HTTPClient.Response,
        _ dto: ErrorDTO?,
        isRead: Bool
    ) -> BrowseError.Denial? {
        let headers = response.headers
        // Any response can have the fields, so the sentence decides. An organization that forbids a
        // kind of token names "fine-grained permissions".
        let sentence = (dto?.message ?? "").lowercased().replacing("fine-grained permissions", with: "")
        let isAboutPermission =
            sentence.isEmpty || ["not accessible", "permission", "scope", "rights"].contains(where: sentence.contains)
        switch response.status {
        case 451: return .legalReasons(page(dto?.block.value?["html_url"]?.value, of: response))
        case 403 where headers["X-GitHub-SSO"]?.hasPrefix("required") == true:
            let address = headers["X-GitHub-SSO"]?.split(separator: "url=", maxSplits: 1).last.map(String.init)
            return .singleSignOn(page(address, of: response))
        case 403 where headers["X-Accepted-GitHub-Permissions"] != nil:
            let names = names(in: "X-Accepted-GitHub-Permissions", of: headers)
                .filter { $0 != "allows_permissionless_access=true" }
            return names.isEmpty || !isAboutPermission ? nil : .missingPermission(names)
        // The scopes of a read that finds nothing say only that a private repository would need
        // them.
        case 403, 404:
            guard response.status == 403 ? isAboutPermission : !isRead else { return nil }
            let accepted = names(in: "X-Accepted-OAuth-Scopes", of: headers)
            guard !accepted.isEmpty, headers["X-OAuth-Scopes"] != nil,
                Set(accepted).isDisjoint(with: headers.list("X-OAuth-Scopes").map(String.init))
            else { return nil }
            // Any of them suffices, such as the one without private repositories.
            return .missingPermission([accepted.joined(separator: "; ")])
        default: return nil
        }
    }

    /// Returns the names of permissions in a field, without texts that can't be names.
    private static func names(in field: String, of headers: HTTPHeaders) -> [String] {
        headers.list(field).prefix(10).map(String.init).filter { name in
            name.utf8.count <= 40
                && name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || "_:=; ".utf8.contains($0) }
        }
    }

    /// Returns the address of a page on GitHub's own host; `nil` for others.
    private static func page(_ text: String?, of response: HTTPClient.Response) -> WebAddress? {
        guard let text, let url = URL(string: text), url.isPage(of: response.url) else { return nil }
        return WebAddress(rawValue: text)
    }

    /// The rate limit of a 403 or 429; `nil` if it isn't one.
    ///
    /// Too many failed sign-ins pause all requests with credentials for a while. The wait ends at
    /// `Retry-After`, otherwise at the reset if nothing remains, otherwise after 60 seconds.
    private static func rateLimit(
        for response: HTTPClient.Response,
        _ dto: ErrorDTO?,
        now: Date
    ) -> BrowseError.RateLimit? {
        let headers = response.headers
        // The sentences have changed, and so have the pages.
        let page = dto?.documentationURL.value?.replacing("-", with: " ") ?? ""
        let text = "\(dto?.message ?? "") \(page)".lowercased()
        let isSecondary = [
            "secondary rate limit", "abuse rate limit", "abuse detection", "temporarily blocked from content",
            "login attempts exceeded",
        ].contains(where: text.contains)
        // A shared cache's copy has the count of another time.
        let isExhausted = headers["X-RateLimit-Remaining"] == "0" && RetryAfter.age(headers) == 0
        // A gateway can remove the count.
        let isPrimary = isExhausted || text.contains("rate limit exceeded")
        let namesEnd = RetryAfter.date(headers, now: now) != nil
        guard response.status == 429 || isSecondary || isPrimary || namesEnd else { return nil }
        var limit = BrowseError.RateLimit(headers, now: now)
        limit.kind = isPrimary && !isSecondary ? .primary : .secondary
        return limit
    }

    struct ErrorDTO: Decodable {
        /// A reason for a 422: a sentence, or a field and a code.
        struct Detail: Decodable, Sendable {
            let text: String?

            init(from decoder: any Decoder) throws {
                let sentence = try? decoder.singleValueContainer().decode(String.self)
                let values = (try? [String: Lenient<String>](from: decoder))?.compactMapValues(\.value) ?? [:]
                text = sentence ?? values["message"] ?? values["field"].map { "\($0): \(values["code"] ?? "invalid")" }
            }
        }

        let message: String?
        let documentationURL: Lenient<String>
        let block: Lenient<[String: Lenient<String>]>
        let errors: Lenient<[Detail]>

        private enum CodingKeys: String, CodingKey {
            case message, block, errors
            case documentationURL = "documentation_url"
        }

        /// The message, and the fields that GitHub rejects: `Validation Failed (title:
        /// missing_field)`.
        var description: String? {
            let details = (errors.value ?? []).prefix(5).compactMap(\.text)
            return details.isEmpty ? message : "\(message ?? "") (\(details.joined(separator: ", ")))"
        }
    }
}
