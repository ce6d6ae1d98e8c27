import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import WebApp

/// A browser without JavaScript, which keeps cookies and follows redirects.
final class Browser {
    private let client: any TestClientProtocol
    private var cookies: [String: String] = [:]
    /// The `Accept-Language` field.
    var language: String

    init(_ client: any TestClientProtocol, language: String = "en") {
        self.client = client
        self.language = language
    }

    /// Opens an address, and follows redirects on the site.
    func open(_ address: String) async throws -> Document {
        try await follow(send(address, .get))
    }

    /// Presses the button with an action on a page, and follows the redirect.
    func press(_ action: String, on page: Document) async throws -> Document {
        #expect(page.html.contains("value=\"\(action)\""), "The page has no button \(action)")
        return try await follow(post("/actions", fields: page.fields.merging(["do": action]) { $1 }))
    }

    /// Sends a form, and returns the response without following it.
    func post(_ address: String, fields: [String: String], accept: String = "text/html") async throws -> TestResponse {
        let body = try URLEncodedFormEncoder().encode(fields)
        return try await send(address, .post, body: ByteBuffer(string: body), accept: accept)
    }

    /// Sends a request.
    func send(
        _ address: String,
        _ method: HTTPRequest.Method = .get,
        body: ByteBuffer? = nil,
        accept: String = "text/html"
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.accept: accept, .acceptLanguage: language]
        if !cookies.isEmpty { headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        if body != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let response = try await client.executeRequest(uri: address, method: method, headers: headers, body: body)
        for cookie in response.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if let name = pair.first { cookies[String(name)] = pair.count == 2 ? String(pair[1]) : nil }
        }
        return response
    }

    /// Follows redirects on the site.
    func follow(_ response: TestResponse) async throws -> Document {
        var response = response
        for _ in 0..<5 {
            guard let location = response.headers[.location] else { break }
            let path = location.hasPrefix(Self.origin) ? String(location.dropFirst(Self.origin.count)) : location
            response = try await send(String(path.prefix { $0 != "#" }))
        }
        return Document(response)
    }

    static let origin = "http://localhost:8080"
}

/// A page as a browser without JavaScript reads it.
struct Document {
    let status: HTTPResponse.Status
    let html: String

    init(_ response: TestResponse) {
        status = response.status
        html = String(buffer: response.body)
    }

    /// The keys of the rows, in order.
    var rows: [String] { matches(/data-row="([^"]*)"/) }

    /// The hidden fields of the form for actions.
    var fields: [String: String] {
        Dictionary(
            html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
                (String($0.output.1), String($0.output.2).replacing("&amp;", with: "&"))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The first heading.
    var title: String { matches(/<h1>([^<]*)</).first ?? "" }

    /// Returns the first groups of all matches.
    func matches(_ pattern: Regex<(Substring, Substring)>) -> [String] {
        html.matches(of: pattern).map { String($0.output.1) }
    }
}

/// Runs a test on a site with fixtures.
func withSite(
    _ configuration: SiteConfiguration = SiteConfiguration(),
    _ test: @Sendable @escaping (Site, any TestClientProtocol) async throws -> Void
) async throws {
    let site = Site(configuration.patient)
    site.start(at: try #require(URL(string: Browser.origin)))
    try await Application(router: site.router(), logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }).test(
        .router
    ) { client in try await test(site, client) }
}
