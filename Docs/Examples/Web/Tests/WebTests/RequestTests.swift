import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Requests")
struct RequestTests {
    let policy = OriginPolicy(hosts: ["127.0.0.1", "localhost", "[::1]"])

    private func request(
        _ method: HTTPRequest.Method = .get,
        host: String? = "127.0.0.1:8080",
        fields: [String: String] = [:]
    ) throws -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: "http", authority: host, path: "/")
        for (name, value) in fields { request.headerFields[try #require(HTTPField.Name(name))] = value }
        return request
    }

    @Test(
        "Each name of this server is accepted, with any port",
        arguments: ["127.0.0.1", "LOCALHOST:1", "[::1]:80", "[::1]"]
    )
    func hosts(_ host: String) throws {
        _ = try policy.check(request(host: host))
    }

    @Test(
        "A name that resolves to this server isn't accepted",
        arguments: [
            nil, "", "evil.example:8080", "127.0.0.1.evil.example", "localhost.", "[::1].evil.example",
            "127.0.0.1:8080:1",
        ]
    )
    func unknownHost(_ host: String?) throws {
        let request = try request(host: host)
        #expect(throws: OriginPolicy.Refusal.unknownHost) { try policy.check(request) }
    }

    @Test("Pages of this server can send forms; tools without the fields need a form token")
    func ownForms() throws {
        for origin in ["http://127.0.0.1:8080", "https://127.0.0.1:8080"] {
            _ = try policy.check(request(.post, fields: ["Origin": origin, "Sec-Fetch-Site": "same-origin"]))
            _ = try policy.check(request(.post, fields: ["Origin": origin]))
        }
        _ = try policy.check(request(.post, fields: ["Sec-Fetch-Site": "same-origin"]))
        _ = try policy.check(request(.post))
    }

    @Test("Behind a proxy that hides the name, pages of the public origin can send forms, and no others")
    func publicOrigin() throws {
        let policy = OriginPolicy(hosts: ["10.0.0.5"])
        func request(_ origin: String) throws -> HTTPRequest {
            try self.request(.post, host: "10.0.0.5:8080", fields: ["Origin": origin])
        }
        #expect(try policy.check(request("https://example.org"), origin: "https://example.org") == "10.0.0.5")
        for origin in ["http://example.org", "https://example.org:444", "https://example.org.evil.example", "null"] {
            let request = try request(origin)
            #expect(throws: OriginPolicy.Refusal.otherSite) { try policy.check(request, origin: "https://example.org") }
        }
    }

    @Test(
        "Pages of other sites can't send forms",
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:9000"],
            ["Origin": "http://localhost:8080"], ["Origin": "http://127.0.0.1:8080.evil.example"], ["Origin": ""],
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
            ["Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8080"],
            ["Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"],
        ] as [[String: String]]
    )
    func foreignForms(_ fields: [String: String]) throws {
        for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
            let request = try request(method, fields: fields)
            #expect(throws: OriginPolicy.Refusal.otherSite) { try policy.check(request) }
        }
    }

    @Test("Other sites can link to pages, but can't load them as images, scripts, or data")
    func foreignReads() throws {
        for site in ["cross-site", "same-site"] {
            _ = try policy.check(request(fields: ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"]))
            for mode in ["no-cors", "cors", ""] {
                let request = try request(fields: ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode])
                #expect(throws: OriginPolicy.Refusal.otherSite) { try policy.check(request) }
            }
        }
        for site in ["same-origin", "none"] {
            _ = try policy.check(request(fields: ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors"]))
        }
    }

    /// endpoints/endpoints#129
    @Test("Of several values of a name in an address, the first counts", arguments: ["q=a&q=b", "x[]=1&x[]=2&q=a"])
    func severalValues(query: String) {
        #expect(PageAddress("/users?" + query)?["q"] == "a")
    }

    @Test("A malformed escape in a query is text", arguments: ["100%", "%9g", "%C0%AF", "50% off"])
    func malformedEscape(text: String) {
        let address = PageAddress("/users?q=" + text.replacing(" ", with: "+"))
        #expect(address?["q"] == text)
        #expect(address.flatMap { PageAddress($0.text) } == address)
    }

    @Test("Every response allows only scripts and styles of this server")
    func contentSecurityPolicy() throws {
        let fields = HTTPFields.security()
        let policy: String = try #require(fields[.contentSecurityPolicy])
        let directives = Set(policy.components(separatedBy: "; "))
        #expect(
            directives.isSuperset(of: [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'",
                "frame-ancestors 'none'",
                "form-action 'self'", "img-src 'self'", "connect-src 'self'",
                "require-trusted-types-for 'script'",
            ])
        )
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("data:"))
    }

    @Test("Every response has the other fields, and strict transport security only on https")
    func otherFields() throws {
        let expected = [
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        let fields = HTTPFields.security()
        for (name, value) in expected { #expect(try fields[#require(HTTPField.Name(name))] == value) }
        #expect(try fields[#require(HTTPField.Name("Permissions-Policy"))]?.contains("camera=()") == true)
        #expect(fields[.strictTransportSecurity] == nil)
        #expect(HTTPFields.security(isOnHTTPS: true)[.strictTransportSecurity]?.hasPrefix("max-age=") == true)
    }
}
