public import BrowseData
public import Foundation

/// The pictures of the fixtures without a network: each address has one of its own, which is drawn when it is asked for.
///
/// There are
///
/// - avatars, at `https://avatars.githubusercontent.com/u/1` and its like, as large as `s` says;
/// - characters, at `…/character/avatar/1.jpeg` and its like;
/// - icons and screenshots of apps, at `https://images.example/apps/…`.
///
/// All of them are PNG files, as the first bytes tell and not the name; anything else is not found. It may be used from any
/// number of tasks at once.
public final class OfflineImages: Sendable {
    private let currentScenario: Monitor<Scenario>
    private let clock: any Clock<Duration>
    private let currentTime: @Sendable () -> Date

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: How it behaves; in ``Scenario/empty`` there are pictures all the same.
    ///   - clock: Measures the delay of ``Scenario/slow(_:)``; give a ``TestClock`` to be in charge of the time.
    ///   - now: The current time, from which the wait of ``Scenario/rateLimited(until:)`` is counted.
    public init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        currentScenario = Monitor(scenario)
        self.clock = clock
        currentTime = now
    }

    /// How it behaves from the next request on.
    public var scenario: Scenario {
        get { currentScenario.value }
        set { currentScenario.withLock { $0 = newValue } }
    }

    /// A real transport whose every request comes to this service, which it keeps alive.
    ///
    /// - Parameter clock: Measures `HTTPLimits.duration`, the time limit of a request; the clock of this server unless given.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        MockedTransport(clock: clock ?? self.clock) { [self] request in await respond(to: request) }
    }

    /// Answers one request.
    ///
    /// - Returns: The response, or the failure of the network in ``Scenario/offline``.
    @concurrent
    public func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        let url = request.url
        switch scenario {
        case .offline: return .failure(URLError(.notConnectedToInternet))
        case .serverError: return .success(HTTPResponse(status: 502, url: url))
        case .rateLimited(let end):
            let wait = max(0, end.timeIntervalSince(currentTime()).rounded(.up))
            return .success(
                HTTPResponse(status: 429, headers: ["Retry-After": "\(Int(exactly: wait) ?? .max)"], url: url)
            )
        case .slow(let delay):
            guard (try? await clock.sleep(for: delay)) != nil else { return .failure(URLError(.cancelled)) }
        case .normal, .empty: break
        }
        guard let side = Self.side(of: url) else { return .success(HTTPResponse(status: 404, url: url)) }
        // One picture in all its sizes: what is asked for beside the path is how it is sent.
        let picture = DrawnImage.png(for: "\(url.host() ?? "")\(url.path())", side: side)
        return .success(HTTPResponse(status: 200, headers: ["Content-Type": "image/png"], body: picture, url: url))
    }

    /// How large the picture at an address is; `nil` when there is none.
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
