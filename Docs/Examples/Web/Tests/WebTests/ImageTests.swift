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
            let page = try await Browser(client).open("/users/octocat")
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

    @Test("Addresses that the site hasn't issued are refused")
    func refused() async throws {
        try await withSite { site, client in
            let signer = site.configuration.signer
            let forged = [
                "x", signer.sign("0 https://avatars.githubusercontent.com/u/1", for: "visitor"),
                signer.sign("0 https://10.0.0.1/secret.png", for: "image"),
                Signer().sign("0 https://avatars.githubusercontent.com/u/1", for: "image"),
            ]
            for signed in forged {
                try await client.execute(uri: "/images/\(signed)", method: .get) { response in
                    #expect(response.status == .forbidden)
                }
            }
        }
    }

    @Test(
        "Only listed hosts have images",
        arguments: [
            "http://avatars.githubusercontent.com/u/1", "https://githubusercontent.com.example.org/u/1",
            "https://avatars.githubusercontent.com:8080/u/1", "https://user@avatars.githubusercontent.com/u/1",
            "https://127.0.0.1/x.png", "https://[::1]/x.png", "file:///etc/passwd",
        ]
    )
    func hosts(_ address: String) {
        #expect(!ImageHosts.contain(WebAddress(rawValue: address)))
    }
}
