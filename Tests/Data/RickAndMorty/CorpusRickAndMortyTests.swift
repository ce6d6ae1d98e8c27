import BrowseData
import BrowseDomain
import Foundation
import LoopbackServer
import Testing

// As in `CorpusTests`: these are skipped without a folder of recorded replies.
@Suite("RickAndMorty: recorded replies", .enabled(if: Corpus.folder != nil, "BROWSEKIT_CORPUS is not set"))
struct CorpusRickAndMortyTests {
    private func replies(of kind: String, atLeast count: Int) throws -> [Corpus.Reply] {
        let replies = try Corpus.replies(of: kind, from: "rickandmorty")
        #expect(replies.count >= count, "\(kind)")
        return replies
    }

    private func client(for reply: Corpus.Reply) throws -> HTTPClient {
        try .rickAndMorty(at: "https://rickandmortyapi.com/api", transport: Corpus.Replay(reply: reply))
    }

    private func rows(_ reply: Corpus.Reply) throws -> [[String: Any]] {
        let object = reply.object
        if let rows = object as? [[String: Any]] { return rows }
        return try #require((object as? [String: Any])?["results"] as? [[String: Any]], "\(reply.name)")
    }

    private func next(_ reply: Corpus.Reply) -> String? {
        let info = (reply.object as? [String: Any])?["info"] as? [String: Any]
        return info?["next"] as? String
    }

    // MARK: - Lists

    @Test("of lists become pages without a skipped row, with every row and the next page")
    func lists() async throws {
        for reply in try replies(of: "character_list", atLeast: 5) {
            let page = try await RemoteCharacterRepository(client: try client(for: reply)).page(of: .init(), at: nil)
            expectEqual(page.items, try rows(reply), reply)
            #expect(page.items.count == 20 && page.skipped.isEmpty, "\(reply.name)")
            #expect(page.next?.rawValue == next(reply) && page.next != nil, "\(reply.name)")
        }
        for reply in try replies(of: "location_list", atLeast: 1) {
            let page = try await RemoteLocationRepository(client: try client(for: reply)).page(of: .init(), at: nil)
            expectEqual(page.items, try rows(reply), reply)
            #expect(page.items.count == 20 && page.skipped.isEmpty, "\(reply.name)")
            #expect(page.next?.rawValue == next(reply) && page.next != nil, "\(reply.name)")
        }
        var withoutEnvelope = 0
        for reply in try replies(of: "episode_list", atLeast: 2) {
            let episodes = RemoteEpisodeRepository(client: try client(for: reply))
            let rows = try rows(reply)
            do throws(BrowseError) {
                let page = try await episodes.page(of: .init(), at: nil)
                expectEqual(page.items, rows, reply)
                #expect(page.items.count == 20 && page.skipped.isEmpty, "\(reply.name)")
                #expect(page.next?.rawValue == next(reply) && page.next != nil, "\(reply.name)")
            } catch .unusableReply(.decoding(let failure), _) {
                // Somebody kept the results only.
                #expect(failure.codingPath == "info" && failure.reason == "missing", "\(reply.name)")
                withoutEnvelope += 1
            }
        }
        #expect(withoutEnvelope == 1)
    }

    // MARK: - Things

    @Test("of single things become them, field by field")
    func single() async throws {
        for reply in try replies(of: "character", atLeast: 2) {
            let row = try #require(reply.object as? [String: Any])
            let id = RickAndMorty.Character.ID(rawValue: 1)
            let thing = try await RemoteCharacterRepository(client: try client(for: reply)).character(id)
            expectEqual([thing], [row], reply)
        }
        for reply in try replies(of: "episode", atLeast: 1) {
            let row = try #require(reply.object as? [String: Any])
            let thing = try await RemoteEpisodeRepository(client: try client(for: reply)).episode(.init(rawValue: 1))
            expectEqual([thing], [row], reply)
        }
        for reply in try replies(of: "location", atLeast: 1) {
            let row = try #require(reply.object as? [String: Any])
            let thing = try await RemoteLocationRepository(client: try client(for: reply)).location(.init(rawValue: 1))
            expectEqual([thing], [row], reply)
        }
    }

    @Test("of several things become them, field by field")
    func several() async throws {
        for reply in try replies(of: "character_multi", atLeast: 2) {
            let rows = try rows(reply)
            let ids = rows.compactMap { ($0["id"] as? NSNumber)?.int64Value }
            let wanted = ids.isEmpty ? [99999, 99998] : Array(ids.reversed())
            let repository = RemoteCharacterRepository(client: try client(for: reply))
            let page = try await repository.characters(.init(numbers: wanted))
            expectEqual(page.items, rows.reversed(), reply)
            #expect(page.skipped.isEmpty)
        }
    }

    @Test("of whole collections become their things, field by field, or the right error")
    func collections() async throws {
        var count = 0
        for reply in try replies(of: "dataset", atLeast: 7) {
            let rows = try rows(reply)
            let ids = rows.compactMap { ($0["id"] as? NSNumber)?.int64Value }
            let client = try client(for: reply)
            if reply.name.contains("episodes") {
                let page = try await RemoteEpisodeRepository(client: client)
                    .episodes(ids.map(RickAndMorty.Episode.ID.init(rawValue:)))
                expectEqual(page.items, rows, reply)
            } else if reply.name.contains("locations") {
                let page = try await RemoteLocationRepository(client: client)
                    .locations(ids.map(RickAndMorty.Location.ID.init(rawValue:)))
                expectEqual(page.items, rows, reply)
            } else {
                // One request for all of them would be too long, so each gets the whole collection.
                let page = try await RemoteCharacterRepository(client: client).characters(.init(numbers: ids))
                expectEqual(page.items, rows, reply)
            }
            count += rows.count
        }
        #expect(count == 31 + 77 + 40 + 21 + 493 + 31 + 76)
    }

    // MARK: - Errors

    @Test("of errors become the right case, or an empty page, with the server's words")
    func errors() async throws {
        var count = 0
        for reply in try replies(of: "errors", atLeast: 5) {
            let words = try #require((reply.object as? [String: Any])?["error"] as? String)
            let characters = RemoteCharacterRepository(client: try client(for: reply))
            let info = BrowseError.RequestInfo(
                endpoint: "GET /character/{}",
                status: reply.status,
                serverMessage: words
            )
            let one = await thrown { () async throws(BrowseError) in
                try await characters.character(.init(rawValue: 1))
            }
            #expect(one == (reply.status == 404 ? .notFound(info) : .serverFailure(info)), "\(reply.name)")
            let list = await thrown { () async throws(BrowseError) in try await characters.page(of: .init(), at: nil) }
            #expect((list == nil) == reply.name.hasSuffix("no_page"), "\(reply.name)")
            count += 1
        }
        #expect(count == 5)
    }

    @Test("of the API's front door are none of its things")
    func root() async throws {
        for reply in try replies(of: "root", atLeast: 1) {
            let characters = RemoteCharacterRepository(client: try client(for: reply))
            let error = await thrown { () async throws(BrowseError) in try await characters.page(of: .init(), at: nil) }
            guard case .unusableReply(.decoding(let failure), _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(failure.codingPath == "info")
        }
    }

    // MARK: - The whole data set

    @Test("of every page, followed from the first, reach each thing exactly once and stop")
    func wholeSet() async throws {
        let data = try replies(of: "dataset", atLeast: 7)
        let characters = try #require(data.first { $0.name == "derived_2018_api_characters" })
        let rows = try rows(characters)
        let api = try RickAndMortyServer(
            kind: "character",
            rows: try rows.map { row in
                let id = try #require((row["id"] as? NSNumber)?.int64Value)
                return (id, String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self))
            }
        )
        let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: api.base))
        var cursor: PageCursor?
        var found: [RickAndMorty.Character] = []
        var pages = 0
        repeat {
            let page = try await repository.page(of: .init(), at: cursor)
            found += page.items
            pages += 1
            cursor = page.next
        } while cursor != nil && pages < 100
        #expect(pages == 25)
        #expect(api.targets.count == 25)
        #expect(Set(found.map(\.id)).count == 493)
        expectEqual(found, rows, characters)
    }

    // MARK: - By another parser

    private func text(_ row: [String: Any], _ key: String) -> String? {
        let text = (row[key] as? String)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty == false ? text : nil
    }

    private func numbers(_ row: [String: Any], _ key: String) -> [Int64]? {
        (row[key] as? [String])?.compactMap { URL(string: $0).flatMap { Int64($0.lastPathComponent) } }
    }

    private func expectCreated(_ created: Date?, _ row: [String: Any], _ comment: String) {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let expected = text(row, "created").flatMap(formatter.date)
        #expect(created != nil && expected != nil, "\(comment)")
        #expect(abs((created ?? .distantPast).timeIntervalSince(expected ?? .distantFuture)) < 0.0005, "\(comment)")
    }

    private func expectEqual(_ items: [RickAndMorty.Character], _ rows: [[String: Any]], _ reply: Corpus.Reply) {
        #expect(items.count == rows.count, "\(reply.name)")
        for (item, row) in zip(items, rows) {
            let comment = "\(reply.name): \(item.id.rawValue)"
            #expect(item.id.rawValue == (row["id"] as? NSNumber)?.int64Value, "\(comment)")
            #expect(item.name == text(row, "name"), "\(comment)")
            #expect(item.status?.rawValue == text(row, "status"), "\(comment)")
            #expect(item.species == text(row, "species"), "\(comment)")
            #expect(item.type == text(row, "type"), "\(comment)")
            #expect(item.gender?.rawValue == text(row, "gender"), "\(comment)")
            for (place, key) in [(item.origin, "origin"), (item.location, "location")] {
                let row = row[key] as? [String: Any] ?? [:]
                #expect(place.name == text(row, "name"), "\(comment)")
                let url = text(row, "url").flatMap { URL(string: $0) }
                #expect(place.id?.rawValue == url.flatMap { Int64($0.lastPathComponent) }, "\(comment)")
            }
            #expect(item.image?.rawValue == text(row, "image"), "\(comment)")
            #expect(item.episodes.map(\.rawValue) == numbers(row, "episode"), "\(comment)")
            expectCreated(item.created, row, comment)
        }
    }

    private func expectEqual(_ items: [RickAndMorty.Episode], _ rows: [[String: Any]], _ reply: Corpus.Reply) {
        #expect(items.count == rows.count, "\(reply.name)")
        for (item, row) in zip(items, rows) {
            let comment = "\(reply.name): \(item.id.rawValue)"
            #expect(item.id.rawValue == (row["id"] as? NSNumber)?.int64Value, "\(comment)")
            #expect(item.name == text(row, "name"), "\(comment)")
            #expect(item.code == text(row, "episode"), "\(comment)")
            #expect(item.airDate == text(row, "air_date"), "\(comment)")
            #expect(item.characters.map(\.rawValue) == numbers(row, "characters"), "\(comment)")
            expectCreated(item.created, row, comment)
        }
    }

    private func expectEqual(_ items: [RickAndMorty.Location], _ rows: [[String: Any]], _ reply: Corpus.Reply) {
        #expect(items.count == rows.count, "\(reply.name)")
        for (item, row) in zip(items, rows) {
            let comment = "\(reply.name): \(item.id.rawValue)"
            #expect(item.id.rawValue == (row["id"] as? NSNumber)?.int64Value, "\(comment)")
            #expect(item.name == text(row, "name"), "\(comment)")
            #expect(item.type == text(row, "type"), "\(comment)")
            #expect(item.dimension == text(row, "dimension"), "\(comment)")
            #expect(item.residents.map(\.rawValue) == numbers(row, "residents"), "\(comment)")
            expectCreated(item.created, row, comment)
        }
    }
}
