import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `Failures on the follower list` {
    nonisolated private static let limit = BrowseError.RateLimit(
        kind: .primary,
        retryAt: Date(timeIntervalSince1970: 1_800_000_000),
        isServerTime: true
    )

    nonisolated private static let cases: [(BrowseError, Message.Kind, Message.Action?)] = [
        (.notFound(.sample), .notFound, .changeInput),
        (.unreachable(.offline, .sample), .offline, .retry),
        (.unreachable(.hostNotFound, .sample), .offline, .retry),
        (.unreachable(.connectionRefused, .sample), .offline, .retry),
        (.unreachable(.connectionLost, .sample), .offline, .retry),
        (.unreachable(.notSecure(detail: "?"), .sample), .offline, .retry),
        (.unreachable(.intercepted, .sample), .offline, .retry),
        (.unreachable(.moved(to: "git.example.com"), .sample), .offline, nil),
        (.unreachable(.other(code: -1, detail: "?"), .sample), .offline, .retry),
        (.timedOut(.sample), .timedOut, .retry),
        (.rateLimited(limit, .sample), .rateLimited(until: limit.retryAt), .retryLater(limit.retryAt)),
        (.unauthorized(.sample), .unauthorized, .signIn),
        (.forbidden(.sample), .forbidden, nil),
        (.rejected(.sample), .rejected, nil),
        (.serverFailure(.sample), .serverFailure, .retry),
        (.unusableResponse(.empty, .sample), .serverFailure, .retry),
        (.refused(.invalidParameter, .sample), .rejected, .changeInput),
        (.refused(.foreignPage, .sample), .unsafe, nil),
        (.storageFailed(.init(reason: .newerVersion(found: 2, supported: 1), file: "x")), .storage, nil),
        (.storageFailed(.init(reason: .notEncodable, file: "x")), .storage, nil),
        (.storageFailed(.init(reason: .exposed, file: "x")), .storage, .signIn),
        (.refused(.unreadableRedirect, .sample), .unsafe, nil),
    ]

    @Test(arguments: cases)
    func `each have their own text and the action that helps`(
        error: BrowseError,
        kind: Message.Kind,
        action: Message.Action?
    ) async throws {
        let model = FollowerListViewModel(InMemoryFollowerRepository { _ throws(BrowseError) in throw error })
        await model.show(.octocats)
        let message = try #require(model.state.content.status.failure)
        #expect(message.kind == kind)
        #expect(message.action == action)
        #expect((message.actionTitle == nil) == (action == nil))
        #expect(!message.title.isEmpty && !message.text.isEmpty)
    }

    @Test func `differ from each other and from an empty list`() async throws {
        var texts: Set<String> = []
        for error in [
            BrowseError.notFound(.sample), .unreachable(.offline, .sample), .rateLimited(Self.limit, .sample),
            .unauthorized(.sample), .serverFailure(.sample), .timedOut(.sample),
        ] {
            texts.insert(Texts.english.message(for: error).text)
        }
        let model = FollowerListViewModel(InMemoryFollowerRepository(lists: [.octocats: []]))
        await model.show(.octocats)
        let message = try #require(model.state.content.status.emptyMessage)
        texts.insert(message.text)
        #expect(texts.count == 7)
        // The account exists, so nothing is wrong with its name.
        #expect(message.text == "Nobody follows octocat yet." && message.action == nil)
    }

    /// google/site-kit-wp#5236
    @Test func `of a list that a profile leads to has no search to edit`() async throws {
        let repos = InMemoryRepoRepository { _ in Page(items: []) }
        let model = RepoListViewModel(repos, session: .inMemory())
        await model.show(.publicRepos(of: .octocat))
        let message = try #require(model.state.content.status.emptyMessage)
        #expect(message.action == nil && message.actionTitle == nil)
    }

    @Test(arguments: [
        (Texts.english, "requires you to sign in", "Sign in again"), (.korean, "GitHub에 로그인하십시오", "다시 로그인하십시오"),
    ])
    func `ask to sign in, or to sign in again if somebody was`(texts: Texts, first: String, again: String) {
        let texts = texts.about(.gitHub)
        var info = BrowseError.RequestInfo.sample
        info.hadNoCredentials = true
        let signedOut = texts.message(for: .unauthorized(info))
        #expect(signedOut.text.contains(first) && !signedOut.text.contains(again))
        let refused = texts.message(for: .unauthorized(.sample))
        #expect(refused.text.contains(again) && !refused.text.contains(first))
        for message in [signedOut, refused] {
            #expect(message.kind == .unauthorized && message.action == .signIn && message.actionTitle == texts(.signIn))
        }
        #expect(signedOut.title != refused.title)
    }
}
