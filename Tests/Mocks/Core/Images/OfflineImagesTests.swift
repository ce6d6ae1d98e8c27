import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct `Pictures without a network` {
    private let avatar = ImageRequest(WebAddress(rawValue: "https://avatars.githubusercontent.com/u/1?v=4"), side: 64)

    private func images(_ service: OfflineImages) -> RemoteImageRepository {
        RemoteImageRepository(transport: service.transport(), folder: nil, userAgent: "MocksTests")
    }

    private func result(_ scenario: Scenario, now: Date = .now) async -> Result<EncodedImage, BrowseError> {
        let images = RemoteImageRepository(
            transport: OfflineServices(scenario: scenario, now: { now }).images.transport(),
            folder: nil,
            userAgent: "MocksTests",
            options: .init { $0.now = { now } }
        )
        return await Result.of { () throws(BrowseError) in try await images.image(for: avatar) }
    }

    @Test func `have the clock of services that a test creates`() async throws {
        let clock = TestClock()
        let services = OfflineServices(gitHub: OfflineGitHub(clock: clock, now: clock.now(from: .distantPast)))
        let url = try #require(URL(string: avatar.address.rawValue))
        func status() async throws -> Int {
            try await services.images.respond(to: HTTPClient.Request(url: url, endpoint: "TEST")).get().status
        }
        services.setScenario(.slow(.seconds(2)))
        async let slow = status()
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(2))
        #expect(try await slow == 200)
        services.setScenario(.rateLimited(until: .distantPast + 60))
        #expect(try await status() == 429)
    }

    @Test func `are at every address that the fixtures name`() async throws {
        let keys: Set = ["avatar_url", "image", "artworkUrl60", "artworkUrl100", "artworkUrl512"]
        let listKeys: Set = ["screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls"]
        func addresses(in value: Any) -> Set<String> {
            switch value {
            case let fields as [String: Any]:
                fields.reduce(into: []) { found, field in
                    if keys.contains(field.key), let text = field.value as? String { found.insert(text) }
                    if listKeys.contains(field.key) { found.formUnion(field.value as? [String] ?? []) }
                    found.formUnion(addresses(in: field.value))
                }
            case let rows as [Any]: rows.reduce(into: []) { $0.formUnion(addresses(in: $1)) }
            default: []
            }
        }
        var found: Set<String> = []
        for fixtures in [Fixtures.gitHub, .rickAndMorty, .appStore] {
            for name in fixtures.names {
                found.formUnion(addresses(in: try JSONSerialization.jsonObject(with: fixtures[name])))
            }
        }
        #expect(found.count > 200)
        let images = Container.offline().imageRepository()
        for address in found where !address.isEmpty {
            let image = try await images.image(for: ImageRequest(WebAddress(rawValue: address)))
            #expect(image.format == .png && image.size != nil, "\(address)")
        }
    }

    @Test func `have the size that an avatar is asked for in, and one pattern in all`() async throws {
        let images = Container.offline().imageRepository()
        let small = try await images.image(for: avatar)
        #expect(small.size == PixelSize(width: 64, height: 64))
        let large = try await images.image(for: ImageRequest(avatar.address, side: 128))
        #expect(large.size == PixelSize(width: 128, height: 128))
        #expect(small == .drawn(for: "avatars.githubusercontent.com/u/1", side: 64))
    }

    @Test func `follow the scenario`() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let info = BrowseError.RequestInfo(endpoint: "GET image", status: 502)
        #expect(try await result(.normal).get().format == .png)
        #expect(try await result(.empty).get().format == .png)
        #expect(await result(.serverError) == .failure(.serverFailure(info)))
        #expect(await result(.offline) == .failure(.unreachable(.offline, .init(endpoint: "GET image"))))
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: now + 90, isServerTime: true)
        let limited = await result(.rateLimited(until: now + 90), now: now)
        #expect(limited == .failure(.rateLimited(limit, .init(endpoint: "GET image", status: 429))))
    }

    @Test(arguments: [
        "https://avatars.githubusercontent.com/u/mona", "https://images.example/", "https://api.github.com/users/mona",
    ])
    func `are nowhere else`(_ address: String) async {
        let request = ImageRequest(WebAddress(rawValue: address))
        await #expect(throws: BrowseError.notFound(.init(endpoint: "GET image", status: 404))) {
            try await images(OfflineServices().images).image(for: request)
        }
    }
}
