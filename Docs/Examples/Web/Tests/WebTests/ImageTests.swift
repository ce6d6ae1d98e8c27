import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import WebSupport

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
}
