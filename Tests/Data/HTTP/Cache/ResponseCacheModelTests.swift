import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Random things done to one or two caches on one folder, beside a dictionary.
@Suite(.bounded)
struct `The response cache compared with a model` {
    @Test(arguments: 0..<UInt64(rounds(18)))
    func `stores the latest responses, and evicts the least recently used`(seed: UInt64) async throws {
        let model = try Model(seed: seed)
        for step in 0..<500 {
            try await model.step()
            await model.settle()
            try model.expectAgreement("seed \(seed), step \(step)")
        }
        #expect(model.answers > 10)
        #expect(model.departures > 0)
    }
}

private final class Model {
    private struct Entry {
        var response: HTTPResponse
        var variant: VaryKey
        var size: Int
        var use: Int
    }

    private struct Question {
        let cache: Int
        let validator: Validator
    }

    private static let languages = ["en", "ko"]
    private let folder = TemporaryFolder()
    private let limit: Int
    private let time = Time()
    private var random: SeededGenerator
    private var caches: [ResponseCache] = []
    /// The keys that other caches have stored since a cache last wrote to the file.
    private var unseen: [Set<CacheKey>] = []
    private let keys: [(key: CacheKey, request: HTTPRequest)]
    private var entries: [CacheKey: Entry] = [:]
    private var questions: [Question] = []
    private var late: [(cache: Int, account: String?, generation: Int, isForgotten: Bool)] = []
    private var uses = 0
    /// The maximum size after the last operation, and whether responses could be evicted for it.
    private var mayShrink = false
    private(set) var answers = 0
    private(set) var departures = 0

    /// A clock that never shows the same time twice.
    private final class Time: Sendable {
        let seconds = Mutex(1_767_323_045)
        func next() -> Date {
            Date(
                timeIntervalSince1970: TimeInterval(
                    seconds.withLock { seconds in
                        seconds += 1
                        return seconds
                    }
                )
            )
        }
    }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        limit = [2 << 20, 3 << 19, 1 << 20][Int(seed % 3)]
        keys = try (0..<24).map { number in
            let url = try #require(URL(string: "https://api.github.com/items/\(number % 12)?page=1"))
            var request = HTTPRequest(url: url, endpoint: "GET /items/{}")
            request.account = [nil, "user 1"][number / 12]
            return (try #require(CacheKey(request)), request)
        }
        caches = (0..<(seed % 2 == 0 ? 1 : 2)).map { _ in make() }
        unseen = caches.map { _ in [] }
    }

    private func make() -> ResponseCache {
        ResponseCache(
            folder: folder.url,
            byteLimit: limit,
            now: { [time] in time.next() },
            clock: TestClock(),
            lockTimeout: .seconds(60)
        )
    }

    private func pick() -> (Int, CacheKey, HTTPRequest) {
        let (key, request) = keys[Int.random(in: 0..<keys.count, using: &random)]
        var asked = request
        asked.headers["Accept-Language"] = Self.languages.randomElement(using: &random)
        return (Int.random(in: 0..<caches.count, using: &random), key, asked)
    }

    func step() async throws {
        mayShrink = false
        let (cache, key, request) = pick()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try await keep(cache, key, request, caches[cache].generation(of: key.account))
        case 40..<65:
            let reply = await caches[cache].response(for: key, request)
            expect(reply, entries[key], request)
            if reply != nil { use(key) }
        case 65..<75:
            let known = await caches[cache].beginRevalidation(for: key, request).validator
            let entry = entries[key].flatMap {
                $0.variant.matches(request) && $0.response.headers["ETag"] != nil ? $0 : nil
            }
            // Changes by another instance aren't known here, but a response that existed at the last write is revalidated.
            if caches.count == 1 || known == nil, !unseen[cache].contains(key) {
                #expect(known?.etag == entry?.response.headers["ETag"])
            }
            if let known { questions.append(Question(cache: cache, validator: known)) }
        case 75..<85: await answer()
        case 85..<88:
            caches[cache].remove(key)
            entries[key] = nil
        case 88..<89:
            await caches[cache].removeAll()
            entries = [:]
            forget { $0 == cache && ($1 == nil || $1 != nil) }
        case 89..<91:
            await caches[cache].removeAll(of: "user 1")
            entries = entries.filter { $0.key.account != "user 1" }
            forget { $0 == cache && $1 == "user 1" }
        case 91..<94:
            let generation = caches[cache].generation(of: key.account)
            late.append((cache, key.account, generation, false))
        case 94..<98: try await keepLate()
        default:
            // Its pending requests don't belong to an account anymore.
            caches[cache] = make()
            unseen[cache] = []
            questions.removeAll { $0.cache == cache }
            late.removeAll { $0.cache == cache }
        }
    }

    /// Waits until the caches have completed their background work.
    func settle() async {
        for cache in caches { _ = await cache.count }
    }

    private func forget(_ isForgotten: (Int, String?) -> Bool) {
        for index in late.indices where isForgotten(late[index].cache, late[index].account) {
            late[index].isForgotten = true
        }
    }

    private func keepLate() async throws {
        guard let index = late.indices.randomElement(using: &random) else { return }
        let one = late.remove(at: index)
        guard let (key, request) = keys.filter({ $0.key.account == one.account }).randomElement(using: &random) else {
            return
        }
        if one.isForgotten {
            let response = HTTPResponse(status: 200, body: Data("late".utf8), url: request.url)
            let variant = try #require(VaryKey(of: request, varyingBy: [:]))
            #expect(await caches[one.cache].commit(response, under: key, variant, generation: one.generation) == nil)
        } else {
            try await keep(one.cache, key, request, one.generation)
        }
    }

    private func keep(_ cache: Int, _ key: CacheKey, _ request: HTTPRequest, _ generation: Int) async throws {
        let hasETag = Int.random(in: 0..<5, using: &random) > 0
        let word = random.text(of: "abcdefgh", count: 8...8)
        let body = String(repeating: word, count: Int.random(in: 0...(limit / 56), using: &random))
        var headers: HTTPHeaders = Bool.random(using: &random) ? ["Vary": "Accept-Language"] : [:]
        if hasETag { headers["ETag"] = "\"\(body.utf8.count)-\(uses)\"" }
        let response = HTTPResponse(status: 200, headers: headers, body: Data(body.utf8), url: request.url)
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        let size = CachedResponse(response, date: .now).head.count + body.utf8.count + key.text.utf8.count
        let kept = await caches[cache].commit(response, under: key, variant, generation: generation)
        if size <= limit / 8 {
            #expect(kept == size)
            for other in unseen.indices { if other == cache { unseen[other] = [] } else { unseen[other].insert(key) } }
            entries[key] = Entry(response: response, variant: variant, size: size, use: 0)
            use(key)
            mayShrink = true
        } else {
            #expect(kept == nil)
            entries[key] = nil
        }
    }

    private func answer() async {
        guard let index = questions.indices.randomElement(using: &random) else { return }
        let question = questions.remove(at: index)
        let validator = question.validator
        let reply = await caches[question.cache].finishRevalidation(validator, by: ["X-Confirmed": "\(uses)"])
        let key = validator.key
        if let entry = entries[key], entry.response.headers["ETag"] == validator.etag {
            var confirmed = entry
            confirmed.response.headers["X-Confirmed"] = "\(uses)"
            #expect(reply?.body == entry.response.body)
            #expect(reply?.headers == confirmed.response.headers)
            confirmed.size =
                CachedResponse(confirmed.response, date: .now).head.count + entry.response.body.count
                + key.text.utf8.count
            entries[key] = confirmed
            use(key)
            answers += 1
        } else {
            #expect(reply == nil)
        }
    }

    private func use(_ key: CacheKey) {
        uses += 1
        entries[key]?.use = uses
    }

    private func expect(_ reply: CachedResponse?, _ entry: Entry?, _ request: HTTPRequest) {
        guard let entry, entry.variant.matches(request) else { return #expect(reply == nil) }
        #expect(reply?.body == entry.response.body)
        #expect(reply?.headers == entry.response.headers)
        answers += 1
    }

    /// Checks that the file contains the model's responses, except those that may be evicted.
    func expectAgreement(_ comment: Comment) throws {
        guard folder.names.contains("responses.sqlite") else { return #expect(entries.isEmpty, comment) }
        var sizes: [String: Int] = [:]
        let database = try Database(folder.file("responses.sqlite"))
        let pageCount = try database.pragma("page_count")
        try database.each("SELECT key, size FROM responses") { row in
            sizes[row.text(0)] = Int(row.integer(1))
            return true
        }
        let present = entries.filter { sizes[$0.key.text] != nil }
        let left = entries.filter { sizes[$0.key.text] == nil }
        #expect(sizes.count == present.count, comment)
        for (key, entry) in present { #expect(sizes[key.text] == entry.size, comment) }
        if !left.isEmpty {
            departures += left.count
            #expect(mayShrink, comment)
            #expect(pageCount + limit / 8 / CacheSpace.pageSize + 6 > CacheSpace(byteLimit: limit).pageLimit, comment)
            let oldest = present.values.map(\.use).min() ?? .max
            let youngest = left.values.map(\.use).max() ?? 0
            #expect(youngest < oldest, comment)
        }
        entries = present
        let bytes = try folder.byteCount(but: "-shm")
        #expect(bytes <= limit + limit / 10, comment)
    }
}
