import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import WebApp

@Suite("Pages")
struct PageTests {
    @Test("A search for users shows them in HTML")
    func search() async throws {
        let site = try await Site()
        site.start(at: try #require(URL(string: "http://127.0.0.1:8080")))
        try await Application(router: site.router()).test(.router) { client in
            try await client.execute(uri: "/users?q=octocat", method: .get) { response in
                #expect(response.status == .ok)
                #expect(String(buffer: response.body).contains("data-row=\"583231\""))
            }
        }
    }
}
