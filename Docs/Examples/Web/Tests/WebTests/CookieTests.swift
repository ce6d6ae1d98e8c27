import BrowseKit
import Foundation
import Hummingbird
import Testing

@testable import WebApp

private let now = Date(timeIntervalSince1970: 1_700_000_000)

@Suite("Cookies")
struct CookieTests {
    let signer = Signer()
    var cookie: VisitorCookie { VisitorCookie(signer: signer) }

    @Test("The cookie has every attribute that the prefix __Host- requires, and no domain")
    func attributes() {
        for origin in ["https://example.org", "https://127.0.0.1", "http://example.org", "http://10.0.0.1"] {
            let parts = attributes(ofCookiesOf: origin)
            #expect(parts[0] == "__Host-visitor=text", "\(origin)")
            #expect(Set(parts.dropFirst()) == ["Max-Age=60", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"])
        }
    }

    @Test("On http on loopback, where WebKit accepts no Secure cookie, it has neither Secure nor the prefix")
    func loopback() {
        for origin in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:80"] {
            let parts = attributes(ofCookiesOf: origin)
            #expect(parts[0] == "visitor=text", "\(origin)")
            #expect(Set(parts.dropFirst()) == ["Max-Age=60", "Path=/", "HttpOnly", "SameSite=Lax"])
        }
    }

    private func attributes(ofCookiesOf origin: String) -> [String] {
        let cookies = URL(string: origin).map(SiteCookies.init)
        return cookies?.setting(.visitor, to: "text", for: 60).description.components(separatedBy: "; ") ?? []
    }

    @Test("A request identifies its visitor")
    func roundTrip() {
        let visitor = VisitorID()
        let value = cookie.value(of: visitor, at: now)
        #expect(cookie.visitor(in: value, at: now)?.id == visitor)
        #expect(cookie.visitor(in: nil, at: now) == nil)
        #expect(cookie.visitor(in: value + "x", at: now) == nil)
    }

    @Test("An id that this server didn't issue isn't accepted")
    func planted() {
        let planted = [
            VisitorID().rawValue, VisitorCookie(signer: Signer()).value(of: VisitorID(), at: now),
            FormTokens(signer: signer).token(for: VisitorID()),
        ]
        for value in planted { #expect(cookie.visitor(in: value, at: now) == nil) }
    }

    @Test("The server doesn't rely on the browser to forget a cookie")
    func expiry() {
        let cookie = VisitorCookie(signer: signer, lifetime: 60)
        let value = cookie.value(of: VisitorID(), at: now)
        #expect(cookie.visitor(in: value, at: now.addingTimeInterval(59)) != nil)
        #expect(cookie.visitor(in: value, at: now.addingTimeInterval(60)) == nil)
    }

    @Test("A cookie has to be renewed once half of its time is over")
    func renewal() throws {
        let value = cookie.value(of: VisitorID(), at: now)
        func isAging(after days: Double) throws -> Bool {
            try #require(cookie.visitor(in: value, at: now.addingTimeInterval(days * 86_400))).isAging
        }
        #expect(try !isAging(after: 0) && !isAging(after: 14.9) && isAging(after: 15.1) && isAging(after: 29.9))
    }

    @Test("An id that is replaced keeps its key, and one that was replaced has another key in every process")
    func keys() {
        let id = VisitorID()
        #expect(id.replaced().key == id.key && id.replaced().rawValue != id.rawValue)
        #expect(id.detached() == id.detached() && id.detached().rawValue == id.rawValue)
        #expect(id.detached().key != id.key && id.detached("a") != id.detached("b"))
        #expect(id.detached() != id.detached().detached())
    }

    @Test("Ids are random, have 144 bits, and are shortened in logs")
    func ids() {
        let ids = (0..<1000).map { _ in VisitorID() }
        #expect(Set(ids).count == 1000)
        #expect(ids.allSatisfy { $0.rawValue.count == 24 && "\($0)".count == 7 })
        // Each position takes many values, so no part of the id is constant.
        for offset in 0..<24 { #expect(Set(ids.map { Array($0.rawValue)[offset] }).count > 50) }
    }

    @Test("A form token is valid for its visitor as long as the id, however long a page is open")
    func formToken() throws {
        let (visitor, other) = (VisitorID(), VisitorID())
        let tokens = FormTokens(signer: signer)
        let token = tokens.token(for: visitor)
        #expect(tokens.isCurrent(token, of: visitor) == true)
        // Rendering a page again changes nothing.
        #expect(tokens.token(for: visitor) == token)
        #expect(tokens.isCurrent(token, of: other) == nil)
        #expect(tokens.isCurrent(nil, of: visitor) == nil)
        #expect(tokens.isCurrent("", of: visitor) == nil)
    }

    @Test("A form token from before the id was replaced is outdated, in every process")
    func formerToken() throws {
        let visitor = VisitorID()
        let tokens = FormTokens(signer: signer)
        let token = tokens.token(for: visitor)
        #expect(tokens.isCurrent(token, of: visitor.replaced()) == false)
        // A visitor whose cookie was replaced continues with other stores, on other pages.
        #expect(tokens.isCurrent(token, of: visitor.detached()) == false)
        #expect(tokens.isCurrent(tokens.token(for: visitor.detached()), of: visitor.detached()) == true)
    }

    @Test("The cookie and signed images aren't form tokens")
    func otherSignatures() throws {
        let visitor = VisitorID()
        let tokens = FormTokens(signer: signer)
        let value = cookie.value(of: visitor, at: now)
        let image = try #require(
            ImageAddresses(signer: signer, hosts: ["a.example"]).token(
                for: ImageRequest(WebAddress(rawValue: "https://a.example/"))
            )
        )
        for text in [value, image] {
            #expect(tokens.isCurrent(text, of: visitor) == nil)
        }
    }
}
