import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowseRickAndMortyDomain
import BrowseTesting
import Foundation
import Synchronization
import TestLimits
import Testing

/// Repositories with one flaw each violate the rules, and each rule finds at least one flaw.
@Suite(.bounded)
struct BrokenRepositoryTests {
    private typealias Read<Row: Sendable> = @Sendable (PageCursor?) async throws(BrowseError) -> Page<Row>

    /// A list with one flaw.
    private final class FlawedList<Row: Sendable>: Sendable {
        enum Flaw: CaseIterable { case repeats, varies, acceptsAnyCursor, ignoresCancellation }

        private let flaw: Flaw
        private let read: Read<Row>
        private let calls = Monitor(0)

        init(_ flaw: Flaw, _ read: @escaping Read<Row>) {
            self.flaw = flaw
            self.read = read
        }

        func page(at cursor: PageCursor?) async throws(BrowseError) -> Page<Row> {
            switch flaw {
            case .repeats:
                let page = try await read(cursor)
                return Page(items: try await read(nil).items, next: page.next)
            case .varies:
                let page = try await read(cursor)
                calls.withLock { $0 += 1 }
                return Page(items: Array(page.items.dropLast(calls.value % 2)), next: page.next)
            case .acceptsAnyCursor:
                do throws(BrowseError) { return try await read(cursor) } catch .refused { return try await read(nil) }
            case .ignoresCancellation:
                do throws(BrowseError) { return try await read(cursor) } catch .cancelled { return Page(items: []) }
            }
        }
    }

    private func flawed<Row>(_ read: @escaping Read<Row>) -> [@Sendable () -> FlawedList<Row>] {
        FlawedList<Row>.Flaw.allCases.map { flaw in { FlawedList(flaw, read) } }
    }

    @Test
    func `Followers`() async {
        let good = Samples.followers
        let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
        typealias Followers = any GitHub.FollowerRepository
        var broken: [@Sendable () -> Followers] = flawed { cursor throws(BrowseError) in
            try await good.page(of: list, at: cursor)
        }.map { make in
            {
                let flawed = make()
                return FollowerRepositoryDouble(onPage: { other, cursor throws(BrowseError) in
                    guard other.owner == list.owner else { return try await good.page(of: other, at: cursor) }
                    return try await flawed.page(at: cursor)
                })
            }
        }
        broken.append {
            FollowerRepositoryDouble(onPage: { other, cursor throws(BrowseError) in
                do throws(BrowseError) {
                    return try await good.page(of: other, at: cursor)
                } catch .notFound {
                    return Page(items: [])
                }
            })
        }
        broken.append {
            FollowerRepositoryDouble(onPage: { other, cursor throws(BrowseError) in
                other.owner.rawValue == "OCTOCAT" ? Page(items: []) : try await good.page(of: other, at: cursor)
            })
        }
        broken += [{ AllPages(flaw: .order) }, { AllPages(flaw: .start) }, { AllPages(flaw: .error) }]
        await expectViolations(of: FollowerRepositoryConformance.rules(list: list), by: broken)
    }

    private struct AllPages: GitHub.FollowerRepository {
        enum Flaw { case order, start, error }
        let flaw: Flaw

        func page(of list: GitHub.FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.User> {
            try await Samples.followers.page(of: list, at: cursor)
        }

        func pages(
            of list: GitHub.FollowList,
            from cursor: PageCursor?,
            concurrency: Int,
            receive: nonisolated(nonsending) (Page<GitHub.User>) async throws(BrowseError) -> Void
        ) async throws(BrowseError) {
            var pages: [Page<GitHub.User>] = []
            var next = flaw == .start ? nil : cursor
            repeat {
                let page = try await page(of: list, at: next)
                pages.append(page)
                next = page.next
            } while next != nil
            for page in flaw == .order ? pages.reversed() : pages {
                do throws(BrowseError) { try await receive(page) } catch { if flaw != .error { throw error } }
            }
        }
    }

    @Test
    func `Users`() async throws {
        let good = Samples.users(own: GitHub.Login("octocat"))
        let text = try GitHub.SearchText("everyone-1")
        var broken: [@Sendable () -> any GitHub.UserRepository] = flawed { cursor throws(BrowseError) in
            try await good.search(for: text, at: cursor).page
        }.map { make in
            {
                let flawed = make()
                var double = UserRepositoryDouble(over: good)
                double.onSearch = { other, cursor throws(BrowseError) in
                    guard other == text else { return try await good.search(for: other, at: cursor) }
                    return GitHub.SearchPage(page: try await flawed.page(at: cursor), totalCount: 251)
                }
                return double
            }
        }
        func flaw(_ change: @escaping @Sendable (inout UserRepositoryDouble) -> Void) {
            broken.append {
                var double = UserRepositoryDouble(over: good)
                change(&double)
                return double
            }
        }
        flaw {
            $0.onSearch = { text, cursor throws(BrowseError) in
                let found = try await good.search(for: text, at: cursor)
                return GitHub.SearchPage(page: found.page, totalCount: found.totalCount + 1)
            }
        }
        flaw {
            $0.onSearch = { other, cursor throws(BrowseError) in
                try await good.search(for: text, at: other == text ? cursor : nil)
            }
        }
        flaw {
            $0.onProfile = { login throws(BrowseError) in
                try await good.profile(of: login.rawValue == "OCTOCAT" ? GitHub.Login("everyone-1000") : login)
            }
        }
        flaw {
            $0.onProfile = { login throws(BrowseError) in
                do throws(BrowseError) {
                    return try await good.profile(of: login)
                } catch .notFound {
                    return try await good.profile(of: GitHub.Login("octocat"))
                }
            }
        }
        flaw {
            $0.onProfile = { login throws(BrowseError) in
                do throws(BrowseError) {
                    return try await good.profile(of: login)
                } catch .cancelled {
                    throw .timedOut(BrowseError.RequestInfo(endpoint: "TEST"))
                }
            }
        }
        flaw {
            $0.onOwnProfile = { () throws(BrowseError) in
                try await good.profile(of: GitHub.Login("everyone-1000"))
            }
        }
        await expectViolations(of: Samples.userRules(own: GitHub.Login("octocat")), by: broken)
        // With an account, as a repository without one must not be.
        let visitor = Samples.userRules(own: nil).filter { $0.name.contains("without a signed-in user") }
        await expectViolations(of: visitor, by: [{ good }])
    }

    @Test
    func `Stars`() async {
        struct Listed: GitHub.StarRepository {
            enum Flaw { case last, repeated, error }
            let good = Samples.stars()
            let flaw: Flaw

            func starred(
                receive: nonisolated(nonsending) (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
            ) async throws(BrowseError) {
                let ids = flaw == .last ? good.ids.reversed() : flaw == .repeated ? good.ids + good.ids : good.ids
                for ids in [Array(ids.prefix(1)), Array(ids.dropFirst())] {
                    do throws(BrowseError) {
                        try await receive(Page(items: ids))
                    } catch {
                        if flaw != .error { throw error }
                    }
                }
            }

            func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
                try await good.set(isStarred, for: repo)
            }

            func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool { try await good.isStarred(repo) }
        }
        var broken: [@Sendable () -> any GitHub.StarRepository] = [
            { Listed(flaw: .last) }, { Listed(flaw: .repeated) }, { Listed(flaw: .error) },
        ]
        func flaw(_ change: @escaping @Sendable (inout StarRepositoryDouble, InMemoryStarRepository) -> Void) {
            broken.append {
                let good = Samples.stars()
                var double = StarRepositoryDouble(over: good)
                change(&double, good)
                return double
            }
        }
        // Never removes a star.
        flaw { double, good in
            double.onSet = { isStarred, repo throws(BrowseError) in
                if isStarred { try await good.set(true, for: repo) }
            }
        }
        // Moves a star to the front of the list when it's set again, so a repetition has an effect.
        flaw { double, good in
            let sets = Monitor(0)
            double.onSet = { isStarred, repo throws(BrowseError) in
                try await good.set(isStarred, for: repo)
                sets.withLock { $0 += 1 }
            }
            double.onStarred = { () throws(BrowseError) in
                Array(good.ids.prefix(good.ids.count - max(0, sets.value - 1)))
            }
        }
        // Writes although its task is canceled.
        flaw { double, good in
            double.onSet = { isStarred, repo throws(BrowseError) in
                await Task { try? await good.set(isStarred, for: repo) }.value
            }
        }
        // Reads although its task is canceled.
        flaw { double, good in
            double.onIsStarred = { repo throws(BrowseError) in good.ids.contains(repo.id) }
        }
        await expectViolations(of: StarRepositoryConformance.rules(repo: Samples.unstarred), by: broken)
    }

    @Test
    func `Characters`() async {
        let good = Samples.characters
        let none = RickAndMorty.CharacterFilter()
        var broken: [@Sendable () -> any RickAndMorty.CharacterRepository] = flawed { cursor throws(BrowseError) in
            try await good.page(of: none, at: cursor)
        }.map { make in
            {
                let flawed = make()
                var double = CharacterRepositoryDouble(over: good)
                double.onPage = { filter, cursor throws(BrowseError) in
                    guard filter == none else { return try await good.page(of: filter, at: cursor) }
                    return try await flawed.page(at: cursor)
                }
                return double
            }
        }
        func flaw(_ change: @escaping @Sendable (inout CharacterRepositoryDouble) -> Void) {
            broken.append {
                var double = CharacterRepositoryDouble(over: good)
                change(&double)
                return double
            }
        }
        // Ignores the filter.
        flaw { $0.onPage = { _, cursor throws(BrowseError) in try await good.page(of: none, at: cursor) } }
        flaw { $0.onEntity = { _ throws(BrowseError) in try await good.entity(.init(rawValue: 1)) } }
        flaw {
            $0.onEntity = { id throws(BrowseError) in
                do throws(BrowseError) {
                    return try await good.entity(id)
                } catch .cancelled {
                    throw .timedOut(BrowseError.RequestInfo(endpoint: "TEST"))
                }
            }
        }
        // In the order of the list.
        flaw {
            $0.onEntities = { ids throws(BrowseError) in
                Page(items: try await good.entities(ids).items.sorted { $0.id.rawValue < $1.id.rawValue })
            }
        }
        flaw {
            $0.onEntities = { ids throws(BrowseError) in
                try await ids.isEmpty ? good.page(of: none, at: nil) : good.entities(ids)
            }
        }
        await expectViolations(of: CharacterRepositoryConformance.rules(), by: broken)
    }

    @Test
    func `Apps`() async {
        let good = Samples.apps
        var broken: [@Sendable () -> any AppStore.AppRepository] = []
        func flaw(_ change: @escaping @Sendable (inout AppRepositoryDouble) -> Void) {
            broken.append {
                var double = AppRepositoryDouble(over: good)
                change(&double)
                return double
            }
        }
        flaw {
            $0.onSearch = { term, storefront, limit throws(BrowseError) in
                let found = try await good.search(for: term, in: storefront, limit: limit).items
                return Page(items: limit == 50 ? found + found : found)
            }
        }
        flaw {
            $0.onSearch = { term, storefront, limit throws(BrowseError) in
                try await good.search(for: term, in: storefront, limit: max(2, limit))
            }
        }
        flaw {
            $0.onSearch = { term, storefront, limit throws(BrowseError) in
                guard term.text != "mockworks", let term = try? AppStore.SearchTerm("mockworks") else {
                    return try await good.search(for: term, in: storefront, limit: limit)
                }
                return try await good.search(for: term, in: storefront, limit: limit)
            }
        }
        flaw {
            $0.onSearch = { term, storefront, limit throws(BrowseError) in
                do throws(BrowseError) {
                    return try await good.search(for: term, in: storefront, limit: limit)
                } catch .cancelled {
                    return Page(items: [])
                }
            }
        }
        flaw {
            $0.onLookUp = { reference, storefront throws(BrowseError) in
                guard case .bundleID(let bundleID) = reference, bundleID.rawValue == bundleID.rawValue.uppercased()
                else {
                    return try await AppRepositoryDouble(over: good).onLookUp(reference, storefront)
                }
                throw .notFound(BrowseError.RequestInfo(endpoint: "TEST"))
            }
        }
        flaw {
            $0.onLookUp = { reference, storefront throws(BrowseError) in
                do throws(BrowseError) {
                    return try await AppRepositoryDouble(over: good).onLookUp(reference, storefront)
                } catch {
                    throw .timedOut(BrowseError.RequestInfo(endpoint: "TEST"))
                }
            }
        }
        await expectViolations(of: Samples.appRules, by: broken)
    }

    @Test
    func `Images`() async throws {
        let image = try await Container.offline().imageRepository().image(for: Samples.image)
        let other = try await Container.offline().imageRepository().image(
            for: ImageRequest(Samples.image.address, side: 40)
        )
        let good = InMemoryImageRepository([Samples.image.address: image])
        var broken: [@Sendable () -> any ImageRepository] = []
        func flaw(_ change: @escaping @Sendable (inout ImageRepositoryDouble) -> Void) {
            broken.append {
                var double = ImageRepositoryDouble(over: good)
                change(&double)
                return double
            }
        }
        flaw { $0.onCachedImage = { _ in other } }
        flaw {
            $0.onImage = { request throws(BrowseError) in
                do throws(BrowseError) { return try await good.image(for: request) } catch .notFound { return other }
            }
        }
        flaw {
            $0.onImage = { request throws(BrowseError) in
                do throws(BrowseError) { return try await good.image(for: request) } catch .cancelled { return image }
            }
        }
        let shared = Samples.imageRules.filter { $0.name.hasPrefix("A canceled load doesn't") }
        await expectViolations(of: Samples.imageRules.filter { $0.name != shared.first?.name }, by: broken)
        // Once a load is canceled, all others fail.
        await expectViolations(
            of: shared,
            by: [
                {
                    let isBroken = Monitor(false)
                    return ImageRepositoryDouble(onImage: { _ throws(BrowseError) in
                        await withTaskCancellationHandler {
                            await isBroken.wait { $0 }
                        } onCancel: {
                            isBroken.withLock { $0 = true }
                        }
                        throw .cancelled
                    })
                }
            ]
        )
    }
}
