import BrowseDomain
import BrowseMocks
import BrowseTesting
import Foundation
import TestLimits
import Testing

/// Favorite repositories with one flaw each violate the rules.
@Suite(.bounded)
struct FavoriteRepositoryConformanceTests {
    private enum Flaw: CaseIterable {
        case forgets, insertsFirst, acceptsTwice, renames, keepsRemoved, removesAny, pagesByOffset, repeatsPages
        case ignoresFilter, matchesCase, filtersPage, ignoresKinds, ignoresOrder, sortsTitles, losesPayload
        case changesTitle, losesImage, mergesKeys, servesFirstListener, reportsRepetitions, reportsNoRemovals
        case acceptsAnyCursor, ignoresCancellation, losesParallelAdditions, losesOneOfTwo, acceptsTwoAtOnce,
            listsFirstIDs, repeatsNumbers, reportsOldNumbers, listsNoNumbers
        case ignoresUpdates, addsUpdates, movesUpdates, reportsEqualUpdates
        case replaysAdditions
    }

    /// A repository in memory with a flaw.
    private actor Flawed: FavoriteRepository {
        private let good = InMemoryFavoriteRepository()
        private let flaw: Flaw
        private let listeners = Monitor<[AsyncStream<FavoriteChange>.Continuation]>([])
        private let past = Monitor<[Favorite]>([])
        private var additions = 0
        private var mostAdditions = 0

        init(_ flaw: Flaw) { self.flaw = flaw }

        private var all: [Favorite] {
            get async throws(BrowseError) {
                var (rows, cursor) = ([Favorite](), PageCursor?.none)
                repeat {
                    let page = try await good.page(of: FavoriteQuery(), at: cursor)
                    rows += page.items
                    cursor = page.next
                } while cursor != nil
                return rows
            }
        }

        func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
            var query = query
            switch flaw {
            case .ignoresFilter: query.filter = ""
            case .ignoresKinds: query.kinds = []
            case .ignoresOrder: query.order = .added
            case .matchesCase where !query.filter.isEmpty:
                let rows = try await all.filter { $0.title.contains(query.filter) }
                query.filter = ""
                let page = try await good.page(of: query, at: cursor)
                return Page(items: page.items.filter(rows.contains), next: page.next)
            case .filtersPage where query.filter != "" && query.kinds.isEmpty:
                let page = try await good.page(of: FavoriteQuery(order: query.order), at: cursor)
                return Page(items: page.items.prefix(2).filter(query.includes))
            case .insertsFirst where query.order == .added && cursor == nil:
                return Page(items: try await good.page(of: query, at: nil).items.reversed())
            case .sortsTitles where query.order == .name && cursor == nil:
                let page = try await good.page(of: query, at: nil)
                return Page(items: page.items.sorted { $0.title < $1.title }, next: page.next)
            case .pagesByOffset
            where query.order == .added && (cursor == nil || cursor?.rawValue.hasPrefix("+") == true):
                let start = Int(cursor?.rawValue.dropFirst() ?? "0") ?? 0
                let rows = try await all.filter(query.includes).dropFirst(start)
                guard !Task.isCancelled else { throw .cancelled }
                return Page(
                    items: Array(rows.prefix(100)),
                    next: rows.count > 100 ? PageCursor(rawValue: "+\(start + 100)") : nil
                )
            case .repeatsPages where query.order == .added:
                let page = try await good.page(of: query, at: cursor)
                guard cursor != nil, page.next == nil else { return page }
                return Page(items: page.items + page.items)
            case .listsNoNumbers:
                var page = try await good.page(of: query, at: cursor)
                for index in page.items.indices { page.items[index].sequenceNumber = nil }
                return page
            case .acceptsAnyCursor:
                do throws(BrowseError) {
                    return try await good.page(of: query, at: cursor)
                } catch .refused {
                    return try await good.page(of: query, at: nil)
                }
            case .ignoresCancellation:
                do throws(BrowseError) { return try await good.page(of: query, at: cursor) } catch .cancelled {
                    return Page(items: [])
                }
            default: break
            }
            return try await good.page(of: query, at: cursor)
        }

        func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
            var favorite = favorite
            let payload = favorite.payload ?? Favorite.Payload(version: 0, data: Data())
            switch flaw {
            case .forgets: if favorite.id.number == 2 { return true }
            case .renames:
                let rows = try await all
                guard rows.contains(where: { $0.id == favorite.id }) else { break }
                for row in rows { _ = try await good.remove(row.id) }
                for row in rows { _ = try await good.add(row.id == favorite.id ? favorite : row) }
                return false
            case .losesPayload:
                let text = Data(String(decoding: payload.data, as: UTF8.self).utf8)
                let stored = Favorite.Payload(version: payload.version, data: text)
                favorite = Favorite(id: favorite.id, title: favorite.title, image: favorite.image, payload: stored)
            case .changesTitle:
                let title = String(String.UnicodeScalarView(favorite.title.unicodeScalars.filter(\.isASCII)))
                favorite = Favorite(id: favorite.id, title: title, image: favorite.image, payload: payload)
            case .losesImage:
                favorite = Favorite(id: favorite.id, title: favorite.title, image: nil, payload: payload)
            case .mergesKeys:
                let id = Favorite.ID(kind: favorite.kind, key: Int(favorite.id.key).map(String.init) ?? favorite.id.key)
                favorite = Favorite(id: id, title: favorite.title, image: favorite.image, payload: payload)
            case .losesParallelAdditions:
                additions += 1
                defer { additions -= 1 }
                // Others enter meanwhile.
                await Task { self.pause() }.value
                if additions > 1 { return true }
            case .losesOneOfTwo:
                additions += 1
                mostAdditions = max(mostAdditions, additions)
                // Slow enough that the other one of two begins meanwhile, on a loaded machine too.
                for _ in 1...20 { await Task { self.pause() }.value }
                let isLost = additions == 2 && mostAdditions == 2
                additions -= 1
                if additions == 0 { mostAdditions = 0 }
                if isLost { return true }
            case .acceptsTwoAtOnce:
                let isNew = try await !good.ids().contains(favorite.id)
                await Task { self.pause() }.value
                _ = try await good.add(favorite)
                return isNew
            case .acceptsTwice:
                _ = try await good.add(favorite)
                return true
            case .reportsRepetitions:
                guard try await good.ids().contains(favorite.id) else { break }
                for listener in listeners.value { listener.yield(.added(favorite)) }
                return false
            case .replaysAdditions: past.withLock { $0.append(favorite) }
            default: break
            }
            return try await good.add(favorite)
        }

        private func pause() {}

        func update(_ favorites: [Favorite]) async throws(BrowseError) {
            switch flaw {
            case .ignoresUpdates: return
            case .addsUpdates: for favorite in favorites { _ = try await good.add(favorite) }
            case .movesUpdates:
                for favorite in favorites where try await good.remove(favorite.id) {
                    _ = try await good.add(favorite)
                }
            case .reportsEqualUpdates:
                for favorite in favorites {
                    guard try await good.ids().contains(favorite.id) else { continue }
                    for listener in listeners.value { listener.yield(.updated(favorite)) }
                }
            default: break
            }
            try await good.update(favorites)
        }

        func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
            switch flaw {
            case .keepsRemoved: return try await good.ids().contains(id)
            case .removesAny:
                _ = try await good.remove(id)
                return true
            default: return try await good.remove(id)
            }
        }

        func ids() async throws(BrowseError) -> Set<Favorite.ID> {
            let ids = try await good.ids()
            return flaw == .listsFirstIDs ? Set(ids.prefix(5)) : ids
        }

        nonisolated var changes: AsyncStream<FavoriteChange> {
            let (stream, continuation) = AsyncStream.makeStream(of: FavoriteChange.self)
            let number = listeners.withLock { listeners in
                listeners.append(continuation)
                return listeners.count
            }
            // A listener that isn't served would wait until the time limit.
            if flaw == .servesFirstListener, number > 1 { continuation.finish() }
            for favorite in past.value { continuation.yield(.added(favorite)) }
            let changes = good.changes
            let flaw = flaw
            Task {
                for await var change in changes {
                    switch (flaw, change) {
                    case (.reportsNoRemovals, .removed): continue
                    case (.reportsOldNumbers, .removed(let id, let number)):
                        change = .removed(id, sequenceNumber: number - 1)
                    case (.repeatsNumbers, .added(var favorite)):
                        favorite.sequenceNumber = 1
                        change = .added(favorite)
                    default: break
                    }
                    continuation.yield(change)
                    if case .added(let favorite) = change, favorite.title == "user-3" { break }
                }
                continuation.finish()
            }
            return stream
        }
    }

    /// Each flaw violates rules, but few, and all rules are violated.
    @Test func `Favorites`() async {
        let rules = FavoriteRepositoryConformance.rules
        var missed = Set(rules.map(\.name))
        for flaw in Flaw.allCases {
            var violated: [String] = []
            for rule in rules {
                do { try await rule.verify(Flawed(flaw)) } catch { violated.append(rule.name) }
            }
            // A repository that forgets favorites does most things wrong.
            #expect((1...11).contains(violated.count), "\(flaw): \(violated)")
            missed.subtract(violated)
        }
        #expect(missed.isEmpty)
    }
}
