import BrowseAppStoreDomain
import BrowseDomain
import BrowseMocks
import TestLimits
import Testing

@Suite(.bounded)
struct `An app repository in memory` {
    @Test func `finds the apps of the platform, as the App Store does`() async throws {
        let platforms: [AppStore.App.Platform?] = [.iOS, .mac, nil]
        let apps = InMemoryAppRepository(
            apps: platforms.enumerated().map { number, platform in
                AppStore.App(id: .init(Int64(number) + 1), name: "Tea \(number)") { $0.platform = platform }
            }
        )
        let term = try AppStore.SearchTerm("tea")
        for (platform, names) in [(AppStore.App.Platform.iOS, ["Tea 0", "Tea 2"]), (.mac, ["Tea 1", "Tea 2"])] {
            let found = try await apps.search(for: term, in: AppStore.Storefront(platform: platform), limit: 10)
            #expect(found.items.map(\.name) == names)
        }
    }
}
