import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// GitHub's REST API, version 2022-11-28.
    ///
    /// - Parameters:
    ///   - baseURL: `https://api.github.com`, or `https://HOST/api/v3` for GitHub Enterprise Server.
    ///   - userAgent: The name of the app; GitHub answers requests without one with 403.
    ///   - now: The current time, from which waits are counted.
    public static func gitHub(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        HTTPClient.Service(
            baseURL: baseURL,
            headers: [
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": userAgent,
            ],
            failure: { response, info in GitHubFailure.error(for: response, info: info, now: now()) }
        )
    }
}

/// What GitHub means by a status other than success.
///
/// Source: GitHub's "Rate limits for the REST API" and "Troubleshooting the REST API", and recorded replies.
enum GitHubFailure {
    static func error(for response: HTTPResponse, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let message = try? GitHubCoding.decoder.decode(ErrorDTO.self, from: response.body).message
        var info = info
        info.serverMessage = message.map { Excerpt.masking($0, limit: 200) }
        switch response.status {
        case 403, 429:
            if let limit = rateLimit(for: response, message: message, now: now) { return .rateLimited(limit, info) }
            return .forbidden(info)
        case 401: return .unauthorized(info)
        case 404, 410: return .notFound(info)
        case 400..<500: return .rejected(info)
        case 500..<600: return .serverFailure(info)
        default: return .unusableReply(.status, info)
        }
    }

    /// The wait that a 403 or 429 asks for; `nil` when it is a plain refusal.
    ///
    /// `Retry-After` first; else, when nothing remains, the time of the reset; else 60 seconds.
    private static func rateLimit(for response: HTTPResponse, message: String?, now: Date) -> BrowseError.RateLimit? {
        let headers = response.headers
        let text = message?.lowercased() ?? ""
        let isSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
        let isUsedUp = headers["X-RateLimit-Remaining"] == "0"
        let retryAfter = headers["Retry-After"].flatMap { RetryAfter.date(from: $0, now: now) }
        let reset = headers["X-RateLimit-Reset"].flatMap { RetryAfter.date(fromReset: $0, now: now) }
        guard response.status == 429 || isSecondary || isUsedUp || retryAfter != nil else { return nil }
        // A reset in the past means that the budget is whole again.
        let serverTime = (retryAfter ?? (isUsedUp ? reset : nil)).map { max($0, now) }
        return BrowseError.RateLimit(
            kind: isUsedUp && !isSecondary ? .primary : .secondary,
            retryAt: serverTime ?? now.addingTimeInterval(60),
            isServerTime: serverTime != nil
        )
    }

    private struct ErrorDTO: Decodable {
        let message: String?

        private enum CodingKeys: String, CodingKey {
            case message
        }
    }
}

/// The header `Retry-After` of RFC 9110, section 10.2.3.
enum RetryAfter {
    /// The time it names, as seconds from now or as an HTTP date; `nil` when it is neither.
    static func date(from header: String, now: Date) -> Date? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if let seconds = seconds(text) { return now.addingTimeInterval(min(seconds, longest)) }
        guard let date = try? Date(text, strategy: httpDate) else { return nil }
        return min(date, now.addingTimeInterval(longest))
    }

    /// The time that GitHub's `X-RateLimit-Reset` names in seconds since 1970; `nil` when it is not a whole number.
    static func date(fromReset header: String, now: Date) -> Date? {
        seconds(header).map { min(Date(timeIntervalSince1970: $0), now.addingTimeInterval(longest)) }
    }

    /// Digits only: `TimeInterval` would also read `nan`, `inf` and `-1e9`.
    private static func seconds(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return TimeInterval(text)
    }

    /// A server that asks for more than a day does not know what it asks for.
    private static var longest: TimeInterval { 86_400 }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, the form that section 5.6.7 has senders use.
    private static var httpDate: Date.ParseStrategy {
        Date.ParseStrategy(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                \(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: .gmt
        )
    }
}

/// What all of GitHub's replies are read with.
enum GitHubCoding {
    /// One decoder for the service: it is thread-safe, and making one costs more than a small reply.
    static let decoder = JSONDecoder()
}

extension Endpoint.QueryItem {
    /// GitHub's largest page; more is silently clamped to it.
    static var gitHubPageSize: Self { Self("per_page", "100") }
}
