import BrowseKit
import Foundation
import Testing

@testable import WebApp

@Suite struct `The texts of a page` {
    @Test(arguments: [
        (nil, SiteLanguage.english), ("", .english), ("ko", .korean), ("ko-KR,ko;q=0.9,en-US;q=0.8", .korean),
        ("en-US,en;q=0.9,ko;q=0.8", .english), ("ko;q=0.5, en;q=0.7", .english), ("fr, ko;q=0.1", .korean),
        ("fr", .english), ("*", .english), ("en;q=0, *", .korean), ("ko;q=0", .english), ("kok", .english),
        (";;;,,,;q=", .english), ("KO", .korean),
        // socketry/http-accept#15
        ("ko_KR", .korean), ("ko_KR,ko;q=0.9,en_US;q=0.8", .korean), ("en,ko_KR;q=0.9", .english),
        // chubin/wttr.in#116
        ("en-GB,en;q=0.8,fr-FR;q=0.6,fr;q=0.4,es-ES;q=0.2,es;q=0.2,ko;q=0.2", .english),
    ])
    func `are in the language that a browser prefers`(field: String?, language: SiteLanguage) {
        #expect(SiteLanguage.preferred(by: field) == language)
    }

    @Test func `are read from the beginning of a browser's field`() {
        #expect(SiteLanguage.preferred(by: String(repeating: "fr,", count: 100_000) + "ko") == .english)
    }

    @Test func `blame the connection of the site for a service out of reach, and no other loss`() throws {
        let site = Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        let texts = site.services.container.texts()
        for message in [texts.starsMissing, texts.starUnconfirmed] { #expect(texts.text(of: message) == message.text) }
        let error = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "GET /users"))
        #expect(texts.text(of: texts.message(for: error)).contains("This site can’t reach the service."))
    }

    @Test(arguments: SiteLanguage.allCases)
    func `don't ask visitors to repair or update what only the site has`(language: SiteLanguage) throws {
        let site = Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        let texts = site.services.container.localized(for: language.locale).texts().about(.gitHub)
        let app = Container(Configuration().with { $0.locale = language.locale }).texts().about(.gitHub)
        let request = BrowseError.RequestInfo(endpoint: "GET /users") { $0.rejection = .appVersion }
        let offline = BrowseError.unreachable(.offline, request)
        #expect(texts.message(for: offline).title != app.message(for: offline).title)
        for error in [BrowseError.refused(.tooManyRedirects(limit: 5), request), .rejected(request)] {
            let text = texts.text(of: texts.message(for: error))
            #expect(text.contains("GitHub") && text != app.message(for: error).text)
        }
    }

    /// SK-CERT/Taranis-NG#24 and dbtrail/dbtrail#1354: the server's own time misleads its visitors.
    @Test(arguments: SiteLanguage.allCases)
    func `have times of day in UTC, and say so`(language: SiteLanguage) throws {
        let site = Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        let texts = site.services.container.localized(for: language.locale).texts().about(.gitHub)
        // January 15, 2026, 08:00 UTC.
        let date = Date(timeIntervalSince1970: 1_768_464_000)
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: date, isServerTime: true)
        let request = BrowseError.RequestInfo(endpoint: "GET /users") { $0.retryAt = date }
        let signedOut = BrowseError.RequestInfo(endpoint: "GET /users") { $0.hadNoCredentials = true }
        let errors: [BrowseError] = [
            .rateLimited(limit, request), .rateLimited(limit, signedOut), .serverFailure(request),
        ]
        let messages = errors.map { texts.message(for: $0) }
        let ages = [Provenance.stale(since: date), .offline(since: date)].map { texts.age(of: $0) }
        for text in messages.flatMap({ [$0.text, $0.actionTitle] }) + ages {
            let text = try #require(text)
            #expect(text.contains("8:00") && text.contains("UTC"), "\(text)")
        }
    }
}
