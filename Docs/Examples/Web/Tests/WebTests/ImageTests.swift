import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import WebApp

@Suite("Images")
struct ImageTests {
    @Test("An image that the site refers to is served, and revalidated by its tag")
    func served() async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open("/github/users/octocat")
            let address = try #require(page.matches(/<img src="([^"]*)"/).first)
            let tag = try await client.execute(uri: address, method: .get) { response in
                #expect(response.status == .ok)
                #expect(response.headers[.contentType]?.hasPrefix("image/") == true)
                #expect(response.body.readableBytes > 0)
                return response.headers[.eTag] ?? ""
            }
            try await client.execute(uri: address, method: .get, headers: [.ifNoneMatch: tag]) { response in
                #expect(response.status == .notModified)
                #expect(response.body.readableBytes == 0)
            }
        }
    }

    /// umputun/remark42#85
    @Test("A picture that has changed replaces the one that a browser has, at the same address")
    func changed() async throws {
        let services = OfflineServices()
        try await withSite(SiteConfiguration(source: .fixtures(services))) { site, client in
            let page = try await Browser(client).open("/github/users/octocat")
            let address = try #require(page.matches(/<img src="([^"]*)"/).first)
            let tag = try await client.execute(uri: address, method: .get) { $0.headers[.eTag] ?? "" }
            let picture = DrawnImage.png(for: "new")
            services.images.script.on(.any, response: .body(picture))
            let image = try #require(site.images.image(of: String(address.dropFirst("/images/".count))))
            // As after a day.
            await site.services.container.imageRepository().invalidate(image)
            try await client.execute(uri: address, method: .get, headers: [.ifNoneMatch: tag]) { response in
                #expect(response.status == .ok && response.headers[.eTag] != tag)
                #expect(response.body == ByteBuffer(bytes: picture))
            }
        }
    }

    @Test("A picture that can't be loaded leads to a placeholder, which no browser stores in its place")
    func placeholder() async throws {
        let services = OfflineServices()
        services.images.scenario = .serverError
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let page = try await Browser(client).open("/github/users/octocat")
            let address = try #require(page.matches(/<img src="([^"]*)"/).first)
            try await client.execute(uri: address, method: .get) { response in
                #expect(response.status == .seeOther && response.headers[.location] == "/assets/placeholder.svg")
                #expect(response.headers[.eTag] == nil && response.headers[.cacheControl] == nil)
            }
            try await client.execute(uri: "/assets/placeholder.svg", method: .get) { response in
                #expect(response.headers[.contentType]?.hasPrefix("image/svg") == true)
            }
        }
    }
}
