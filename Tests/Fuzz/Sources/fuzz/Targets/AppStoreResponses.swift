@testable import BrowseAppStoreData
@testable import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import Foundation

/// All responses of the App Store.
@Sendable func appStore(_ input: [UInt8]) {
    let response = Response(input)
    guard let bundleID = try? AppStore.BundleID(typed: "com.example.app"), let term = try? AppStore.SearchTerm("a")
    else {
        return
    }
    InlineExecutor.run {
        let apps = RemoteAppRepository(
            client: HTTPClient(
                service: .appStore(baseURL: URL(fixed: "https://api.example"), userAgent: "BrowseKit-Fuzz"),
                transport: ResponseTransport(response),
                options: .init { $0.now = { now } }
            )
        )
        let id = AppStore.AppID(1)
        check(await outcome { () async throws(BrowseError) in try await apps.lookUp(.id(id), in: .init()) }) {
            require($0.id.number == id.number, "the app is the requested one")
            check($0)
        }
        check(
            await outcome { () async throws(BrowseError) in try await apps.lookUp(.bundleID(bundleID), in: .init()) },
            check
        )
        check(await outcome { () async throws(BrowseError) in try await apps.search(for: term, in: .init(), limit: 5) })
        {
            check($0, of: response)
            $0.items.prefix(2).forEach(check)
        }
    }
}

private func check(_ app: AppStore.App) {
    checkStoring(app)
    guard let rating = app.rating else { return }
    require((0...5).contains(rating.average), "a rating is 0 to 5")
    require(rating.stars.count == 5, "there are five stars")
}
