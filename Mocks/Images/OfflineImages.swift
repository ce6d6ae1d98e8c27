public import BrowseData
public import Foundation

/// An in-process stand-in for the image servers; it draws a different image for each URL.
///
/// It has avatars, such as `https://avatars.githubusercontent.com/u/1` with the size in the query item `s`; characters, such as
/// `…/character/avatar/1.jpeg`; and apps' icons and screenshots at `https://images.example/apps/…`. All images are PNG. The
/// response to other URLs is 404. ``Scenario/empty`` has the same images.
///
/// Safe to use from any number of tasks.
public final class OfflineImages: OfflineService {
    /// The scenarios that apply to its requests.
    public let scenarios: OfflineScenarios
    private let currentTime: @Sendable () -> Date

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all requests.
    ///   - clock: Measures delays; pass a ``TestClock`` to control the time.
    ///   - now: Returns the current time, with which rate limits are calculated.
    public init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        scenarios = OfflineScenarios(scenario, clock: clock)
        currentTime = now
    }

    /// Responds to a request.
    @concurrent
    public func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        await scenarios.enter(request).map { response(to: request.url, in: $0) }
    }

    private func response(to url: URL, in scenario: Scenario) -> HTTPResponse {
        switch scenario {
        case .serverError: return HTTPResponse(status: 502, url: url)
        case .rateLimited(let end):
            let wait = max(0, end.timeIntervalSince(currentTime()).rounded(.up))
            return HTTPResponse(status: 429, headers: ["Retry-After": "\(Int(exactly: wait) ?? .max)"], url: url)
        case .normal, .empty, .slow, .offline: break
        }
        guard let side = Self.side(of: url) else { return HTTPResponse(status: 404, url: url) }
        // The query selects only the size of the image.
        let image = DrawnImage.png(for: "\(url.host() ?? "")\(url.path())", side: side)
        return HTTPResponse(status: 200, headers: ["Content-Type": "image/png"], body: image, url: url)
    }

    /// Returns the side of a URL's image in pixels; `nil` if there is no image.
    private static func side(of url: URL) -> Int? {
        let path = url.path().split(separator: "/")
        let name = url.deletingPathExtension().lastPathComponent
        switch url.host() {
        case "avatars.githubusercontent.com" where path.count == 2 && path.first == "u" && Int64(name) != nil:
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
            return items?.first { $0.name == "s" }?.value.flatMap { Int($0) } ?? 100
        case "images.example" where path.first == "apps": return Int(name) ?? 120
        default:
            return path.suffix(3).starts(with: ["character", "avatar"]) && Int64(name) != nil ? 100 : nil
        }
    }
}
