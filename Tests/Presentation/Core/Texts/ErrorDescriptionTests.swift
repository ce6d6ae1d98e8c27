import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

@Suite(.bounded) struct `The description of an error` {
    private static let limit = BrowseError.RateLimit(
        kind: .primary,
        retryAt: Date(timeIntervalSince1970: 1_800_000_000),
        isServerTime: true
    )
    private static let errors: [BrowseError] = [
        .cancelled, .unreachable(.offline, .sample), .unreachable(.notCached, .sample), .timedOut(.sample),
        .rateLimited(limit, .sample), .unauthorized(.sample),
        .unauthorized(.init(endpoint: "GET /user") { $0.hadNoCredentials = true }), .forbidden(.sample),
        .notFound(.sample),
        .rejected(.sample), .serverFailure(.sample), .unusableResponse(.empty, .sample),
        .refused(.invalidConfiguration, .sample), .refused(.unreadableRedirect, .sample),
        .storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite")),
    ]

    /// OpenIdentityPlatform/OpenAM#627, aspnet-contrib/AspNet.Security.OAuth.Providers#480
    @Test func `of a denial is the same for all codes`() {
        let codes = ["access_denied", "authorization_declined", "user_cancelled_login", "user_cancelled_authorize"]
        #expect(codes.allSatisfy { BrowseError.SignInFailure(code: $0) == .denied })
    }

    @Test(arguments: errors + [.signInFailed(.denied)])
    func `is a text for people, in the system's language`(error: BrowseError) {
        let description = (error as any Error).localizedDescription
        #expect(description == error.description(in: Texts(locale: .current, timeZone: .current)))
        #expect(!description.contains("BrowseError"))
    }

    @Test(arguments: errors)
    func `names no service, since the error may be of any`(error: BrowseError) {
        for texts in [Texts.english, .korean] {
            let description = error.description(in: texts)
            #expect(!description.isEmpty && !description.contains(/GitHub|App Store/))
        }
    }

    @Test func `has the name of its service in any place of a sentence`() {
        let moved = BrowseError.unreachable(.moved(to: "apps.example.com"), .sample)
        let shop = Texts.english.about(.appStore)
        #expect(shop.message(for: moved).text.hasPrefix("The address of the App Store has changed to apps."))
        let old = BrowseError.rejected(.init(endpoint: "GET /lookup") { $0.rejection = .appVersion })
        #expect(shop.message(for: old).text == "This app is too old for the App Store. Update the app.")
        let denied = BrowseError.forbidden(.init(endpoint: "GET /user") { $0.denial = .missingPermission(["repo"]) })
        #expect(denied.description(in: .english) == "Your sign-in to the server lacks a permission: repo.")
        #expect(shop.message(for: .serverFailure(.sample)).text.hasPrefix("The App Store has a problem."))
        for error in [moved, .refused(.tooManyRedirects(limit: 5), .sample)] {
            #expect(!error.description(in: .korean).contains("서버 서버"))
        }
    }

    @Test func `is in the language of the texts`() {
        let error = BrowseError.rejected(.sample)
        let english = "The server can’t process this request."
        let korean = "서버에서 이 요청을 처리할 수 없습니다."
        #expect(error.description(in: .english) == english)
        #expect(error.description(in: .korean) == korean)
    }
}
