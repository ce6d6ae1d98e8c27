import BrowseMocks
import Foundation
import Hummingbird
import Testing

@testable import WebApp

@Suite("Attacks", .timeLimit(.minutes(10)))
struct AttackTests {
    /// Pages that show foreign text, and one that reflects text of the address.
    static let pages = [
        "/users?q=octo", "/github/users/octocat", "/github/users/octocat/followers", "/github/users/octocat/repos",
        "/repos?q=hello",
        "/characters",
        "/rick-and-morty/characters/1", "/episodes", "/rick-and-morty/episodes/1", "/locations",
        "/rick-and-morty/locations/1", "/apps?q=tea", "/app-store/apps/1500000001",
        "/app-store/apps/1500000001/screenshots/1", "/favorites", "/sign-in", "/account",
    ]

    /// Checks that nothing foreign became part of a page's structure.
    private func check(_ html: String, _ page: String) {
        #expect(!html.contains("<x-attack"), "\(page)")
        #expect(!html.lowercased().contains("=\"javascript:"), "\(page)")
        // Every attribute value ends where the template ends it, so no attack is between a quote and the end of a tag.
        #expect(!html.contains("\"'><"), "\(page)")
        for source in html.matches(of: /<img[^>]* src="([^"]*)"/) {
            #expect(source.1.hasPrefix("/images/"), "\(page)")
        }
        for script in html.matches(of: /<script[^>]*>/) {
            #expect(script.0 == #"<script src="/assets/app.js" defer>"#, "\(page)")
        }
        let names = html.replacing(/="[^"]*"/, with: "=")
        #expect(names.firstMatch(of: /<[a-z][^>]* on[a-z]+=/) == nil, "\(page)")
    }

    @Test("Foreign text never becomes an element, an attribute, or a script")
    func foreignText() async throws {
        try await RunningSite.run(SiteConfiguration(source: .fixtures(try HostileData.services()))) { running in
            let browser = TestBrowser(running)
            var attacks = 0
            for page in Self.pages {
                let response = try await browser.open(page).response
                #expect(response.status == 200, "\(page)")
                check(response.body, page)
                if response.body.contains(HostileData.mark) { attacks += 1 }
            }
            // Otherwise the attacks don't reach the pages, and the test shows nothing.
            #expect(attacks >= 11)
            // Favorites store foreign text, and updates send it.
            let characters = try await browser.open("/characters")
            let favorites = try await browser.open("/favorites")
            try await browser.stream(favorites) { stream in
                _ = try await stream.read(until: "retry")
                _ = try await browser.press("favorite on 1", on: characters)
                let data = try await stream.event("update")
                #expect(data.contains(HostileData.mark))
                check(try decoded(data), "update")
            }
            check(try await browser.open("/favorites").response.body, "/favorites")
        }
    }

    private func decoded(_ data: String) throws -> String {
        let update = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any] ?? [:]
        return ["parts", "rows"].compactMap { update[$0] as? [String: String] }.flatMap(\.values).joined(
            separator: "\n"
        )
    }

    @Test("Text of the address never becomes an element, an attribute, or a header")
    func reflectedText() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let attack = "%22%27%3E%3Cx-attack%20onload%3Dalert(1)%3E"
            let addresses = [
                "/users?q=\(attack)", "/repos?q=\(attack)", "/apps?q=\(attack)&country=\(attack)",
                "/github/users/\(attack)",
                "/\(attack)", "/users?\(attack)=1", "/users?q=a&pages=\(attack)",
                "/characters?q=\(attack)&status=\(attack)",
                "/rick-and-morty/characters/\(attack)", "/favorites?q=\(attack)",
                "/github/users/octocat/followers?q=\(attack)",
                "/sign-in/callback?code=\(attack)&state=\(attack)", "/users?q=%0d%0aSet-Cookie:%20a=b",
                "/login/oauth/authorize?\(attack)", "/app-store/apps/1500000001/screenshots/\(attack)",
            ]
            for address in addresses {
                let response = try await TestBrowser(running).send("GET", address, ["Accept": "text/html"])
                #expect((200..<500).contains(response.status), "\(address)")
                #expect(!response.head.contains("a=b"), "\(address)")
                check(response.body, address)
            }
            // The address of a form leads back to a page.
            let page = try await browser.open("/users?q=octocat")
            for address in ["/users?q=%0d%0aSet-Cookie:a=b", "/users?q=\r\nSet-Cookie:a=b", "/users?q=\(attack)"] {
                let fields = ["csrf": page.token, "address": address, "do": "language ko"]
                let response = try await browser.post(fields)
                #expect(!response.head.contains("\r\nSet-Cookie:a=b") && !response.head.contains("<"))
            }
        }
    }

    @Test("A form of another site, or without the visitor's token, changes nothing")
    func forgery() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            let form = ["csrf": page.token, "page": page.id, "address": page.address, "do": "favorite on 583231"]
            let stranger = try await TestBrowser(running).open("/users?q=octocat")
            for token in ["", "x", stranger.token, String(page.token.dropLast()), page.id] {
                #expect(try await browser.post(form.merging(["csrf": token]) { $1 }).status == 403)
            }
            var incomplete = form
            incomplete["csrf"] = nil
            #expect(try await browser.post(incomplete).status == 403)
            incomplete["do"] = "language ko"
            #expect(try await browser.post(incomplete).status == 403)
            incomplete["query"] = "x"
            #expect(try await browser.post(incomplete, to: "/login/oauth/authorize").status == 403)
            for fields in [["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"]] {
                #expect(try await browser.post(form, fields).status == 403)
            }
            let after = try await browser.open("/users?q=octocat").response.body
            #expect(after.contains("favorite on 583231") && after.contains(#"<html lang="en">"#))
            #expect(try await browser.post(form, ["Origin": "http://127.0.0.1:\(running.port)"]).status == 200)
        }
    }

    @Test("A form can't lead to another site")
    func openRedirect() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            let addresses = [
                "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "/%2Fevil.example",
                "/%5Cevil.example", "/\t/evil.example", "javascript:alert(1)", "evil.example", "", "/.//evil.example",
            ]
            for address in addresses {
                for action in ["language ko", "favorite on 583231"] {
                    let response = try await browser.post(["csrf": page.token, "address": address, "do": action])
                    let location = response.field("Location") ?? "/"
                    #expect(
                        location.hasPrefix("/") && !location.hasPrefix("//") && !location.hasPrefix("/\\"),
                        "\(address)"
                    )
                    #expect(!location.contains("\t"))
                }
            }
        }
    }

    @Test("A visitor's cookie is accepted only if this server issued it")
    func plantedCookie() async throws {
        try await RunningSite.run { running in
            let planted = "visitor=" + VisitorCookie(signer: Signer()).value(of: VisitorID())
            for cookie in ["__Host-visitor=abc", planted, "visitor=", "visitor=abc"] {
                let browser = TestBrowser(running)
                browser.cookie = cookie
                let response = try await browser.send("GET", "/users")
                #expect(response.field("Set-Cookie")?.hasPrefix("visitor=") == true)
                #expect(response.field("Set-Cookie")?.contains("HttpOnly") == true)
                #expect(!browser.cookie.hasPrefix(cookie + ";") && browser.cookie != cookie)
            }
        }
    }

    @Test("Every response, whatever its status, has the security headers")
    func headers() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let requests = [
                ("GET", "/users", 200), ("GET", "/nothing", 404), ("GET", "/assets/app.js", 200),
                ("GET", "/assets/x", 404),
                ("GET", "/images/x", 403), ("POST", "/actions", 400), ("GET", "/", 200), ("GET", "/health", 200),
                ("GET", "/ready", 200), ("GET", "/metrics", 404), ("POST", "/users", 405), ("DELETE", "/users", 405),
            ]
            for (method, path, status) in requests {
                let response = try await browser.send(method, path)
                #expect(response.status == status, "\(method) \(path)")
                for name in [
                    "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy",
                ] {
                    #expect(response.field(name) != nil, "\(method) \(path): \(name)")
                }
            }
        }
    }

    /// plabayo/rama#843, vapor/vapor#2816, and restlet/restlet-framework-java#266
    @Test("A request whose method an address doesn't have says which ones it has")
    func methods() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
                for (path, allowed) in [("/users", "GET, HEAD"), ("/", "GET, HEAD"), ("/actions", "GET, HEAD, POST")]
                where method != "POST" || path != "/actions" {
                    let response = try await browser.send(method, path)
                    #expect(response.status == 405 && response.field("Allow") == allowed, "\(method) \(path)")
                }
            }
            #expect(running.site.visitors.count == 0)
            #expect(try await browser.send("PUT", "/users", ["Origin": "https://evil.example"]).status == 403)
        }
    }

    @Test("Requests for other hosts and from other sites are refused")
    func otherSites() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            #expect(try await browser.send("GET", "/users", ["Host": "evil.example"]).status == 421)
            let foreign = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]
            let paths = ["/users", "/events?page=\(page.id)&after=0", "/assets/app.js"]
            for path in paths { #expect(try await browser.send("GET", path, foreign).status == 403, "\(path)") }
        }
    }

    @Test("Images are served only for addresses that this site has issued")
    func images() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            let source = page.response.text(from: "<img src=\"", to: "\"")
            let image = try await browser.send("HEAD", source)
            #expect(image.status == 200 || image.status == 404)
            let address = Data("https://127.0.0.1/".utf8).base64EncodedString()
            let token = String(source.dropFirst("/images/".count))
            let signature = token.split(separator: ".").last.map(String.init) ?? ""
            let forged = [
                "/images/https%3A%2F%2F127.0.0.1%2F", "/images/\(address)..\(signature)", "/images/\(page.token)",
                "/images/\(token)x", "/images/", "/images/..%2f..%2fetc%2fpasswd",
                "/images/" + String(repeating: "x", count: 5000),
            ]
            for path in forged {
                let status = try await browser.send("GET", path).status
                #expect([400, 403, 404].contains(status), "\(path.prefix(60)): \(status)")
            }
        }
    }

    @Test("Files outside the assets are never served")
    func traversal() async throws {
        try await RunningSite.run { running in
            let paths = [
                "/assets/../Package.swift", "/assets/%2e%2e/%2e%2e/Package.swift", "/assets/..%2f..%2fPackage.swift",
                "/assets//etc/passwd", "/assets/....//Package.swift",
                "/assets/", "/assets", "/Package.swift", "/../../etc/passwd",
            ]
            for path in paths {
                let status = try await TestBrowser(running).send("GET", path).status
                #expect([400, 404].contains(status), "\(path)")
            }
        }
    }

    @Test("Oversized requests are refused, and the server goes on")
    func oversized() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            let long = String(repeating: "x", count: 200_000)
            let body = try await browser.post(["csrf": page.token, "address": "/users", "do": long])
            #expect(body.status == 413)
            #expect(try await browser.send("GET", "/users?q=\(long.prefix(5000))").status == 400)
            let header = try await browser.send("GET", "/users", ["X-Long": long])
            #expect([400, 431].contains(header.status))
            let many = Dictionary(uniqueKeysWithValues: (0..<2000).map { ("X-\($0)", "1") })
            #expect([400, 431].contains(try await browser.send("GET", "/users", many).status))
            let lying = try await browser.send("POST", "/actions", ["Content-Length": "999999999999"], body: "csrf=")
            #expect(lying.status == 413 || lying.status == 400)
            #expect(try await browser.send("GET", "/users").status == 200)
        }
    }
}
