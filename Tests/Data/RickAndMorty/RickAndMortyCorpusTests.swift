import BrowseData
import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

// Like `GitHubCorpusTests`, these are skipped without a folder of recorded responses.
@Suite(
    "Rick and Morty: recorded responses",
    .enabled(if: Corpus.folder != nil, "BROWSEKIT_CORPUS is not set"),
    .bounded
)
struct RickAndMortyCorpusTests {
    private func responses(of kind: String, atLeast count: Int) throws -> [Corpus.Response] {
        let responses = try Corpus.responses(of: kind, from: "rickandmorty")
        #expect(responses.count >= count, "\(kind)")
        return responses
    }

    private func client(for response: Corpus.Response) throws -> HTTPClient {
        try .rickAndMorty(at: "https://rickandmortyapi.com/api", transport: Corpus.Replay(response: response))
    }

    private func rows(_ response: Corpus.Response) throws -> [[String: Any]] {
        let object = response.object
        if let rows = object as? [[String: Any]] { return rows }
        return try #require((object as? [String: Any])?["results"] as? [[String: Any]], "\(response.name)")
    }

    private func next(_ response: Corpus.Response) -> String? {
        let info = (response.object as? [String: Any])?["info"] as? [String: Any]
        return info?["next"] as? String
    }

    // MARK: - Lists

    @Test func `of lists decode all rows and the next page`() async throws {
        for response in try responses(of: "character_list", atLeast: 5) {
            let page = try await RemoteCharacterRepository(client: try client(for: response)).page(
                of: .init(),
                at: nil
            )
            expectEqual(page.items, try rows(response), response)
            #expect(page.items.count == 20 && page.skipped.count == 0, "\(response.name)")
            #expect(page.next?.rawValue == next(response) && page.next != nil, "\(response.name)")
        }
        for response in try responses(of: "location_list", atLeast: 1) {
            let page = try await RemoteLocationRepository(client: try client(for: response)).page(
                of: .init(),
                at: nil
            )
            expectEqual(page.items, try rows(response), response)
            #expect(page.items.count == 20 && page.skipped.count == 0, "\(response.name)")
            #expect(page.next?.rawValue == next(response) && page.next != nil, "\(response.name)")
        }
        var withoutEnvelope = 0
        for response in try responses(of: "episode_list", atLeast: 2) {
            let episodes = RemoteEpisodeRepository(client: try client(for: response))
            let rows = try rows(response)
            do throws(BrowseError) {
                let page = try await episodes.page(of: .init(), at: nil)
                expectEqual(page.items, rows, response)
                #expect(page.items.count == 20 && page.skipped.count == 0, "\(response.name)")
                #expect(page.next?.rawValue == next(response) && page.next != nil, "\(response.name)")
            } catch .unusableResponse(.decoding(let failure), _) {
                // The recording contains only the results.
                #expect(failure.codingPath == "info" && failure.reason == "missing", "\(response.name)")
                withoutEnvelope += 1
            }
        }
        #expect(withoutEnvelope == 1)
    }

    // MARK: - Entities

    @Test func `of single entities decode all fields`() async throws {
        for response in try responses(of: "character", atLeast: 2) {
            let row = try #require(response.object as? [String: Any])
            let id = RickAndMorty.Character.ID(rawValue: 1)
            let thing = try await RemoteCharacterRepository(client: try client(for: response)).entity(id)
            expectEqual([thing], [row], response)
        }
        for response in try responses(of: "episode", atLeast: 1) {
            let row = try #require(response.object as? [String: Any])
            let thing = try await RemoteEpisodeRepository(client: try client(for: response)).entity(
                .init(rawValue: 1)
            )
            expectEqual([thing], [row], response)
        }
        for response in try responses(of: "location", atLeast: 1) {
            let row = try #require(response.object as? [String: Any])
            let thing = try await RemoteLocationRepository(client: try client(for: response)).entity(
                .init(rawValue: 1)
            )
            expectEqual([thing], [row], response)
        }
    }

    @Test func `of whole collections decode all fields, or map to the right error`() async throws {
        var count = 0
        for response in try responses(of: "dataset", atLeast: 7) {
            let rows = try rows(response)
            let ids = rows.compactMap { ($0["id"] as? NSNumber)?.int64Value }
            let client = try client(for: response)
            if response.name.contains("episodes") {
                let page = try await RemoteEpisodeRepository(client: client)
                    .entities(ids.map(RickAndMorty.Episode.ID.init(rawValue:)))
                expectEqual(page.items, rows, response)
            } else if response.name.contains("locations") {
                let page = try await RemoteLocationRepository(client: client)
                    .entities(ids.map(RickAndMorty.Location.ID.init(rawValue:)))
                expectEqual(page.items, rows, response)
            } else {
                // The IDs don't fit into one URL, so each batch gets the whole collection.
                let page = try await RemoteCharacterRepository(client: client).entities(.init(numbers: ids))
                expectEqual(page.items, rows, response)
            }
            count += rows.count
        }
        #expect(count == 31 + 77 + 40 + 21 + 493 + 31 + 76)
    }

    // MARK: - Errors

    @Test func `of errors map to the right error with the server's message, or to an empty page`() async throws {
        var count = 0
        for response in try responses(of: "errors", atLeast: 5) {
            let words = try #require((response.object as? [String: Any])?["error"] as? String)
            let characters = RemoteCharacterRepository(client: try client(for: response))
            let info = BrowseError.RequestInfo(endpoint: "GET /character/{}", status: response.status) {
                $0.serverMessage = words
            }
            let one = await thrown { () async throws(BrowseError) in
                try await characters.entity(.init(rawValue: 1))
            }
            #expect(one == (response.status == 404 ? .notFound(info) : .serverFailure(info)), "\(response.name)")
            let list = await thrown { () async throws(BrowseError) in try await characters.page(of: .init(), at: nil) }
            #expect((list == nil) == response.name.hasSuffix("no_page"), "\(response.name)")
            count += 1
        }
        #expect(count == 5)
    }

    // MARK: - Parsed by JSONSerialization

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

    private func expectEqual(_ items: [RickAndMorty.Character], _ rows: [[String: Any]], _ response: Corpus.Response) {
        #expect(items.count == rows.count, "\(response.name)")
        for (item, row) in zip(items, rows) {
            let comment = "\(response.name): \(item.id.rawValue)"
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

    private func expectEqual(_ items: [RickAndMorty.Episode], _ rows: [[String: Any]], _ response: Corpus.Response) {
        #expect(items.count == rows.count, "\(response.name)")
        for (item, row) in zip(items, rows) {
            let comment = "\(response.name): \(item.id.rawValue)"
            #expect(item.id.rawValue == (row["id"] as? NSNumber)?.int64Value, "\(comment)")
            #expect(item.name == text(row, "name"), "\(comment)")
            #expect(item.code == text(row, "episode"), "\(comment)")
            #expect(item.airDate == text(row, "air_date"), "\(comment)")
            #expect(item.characters.map(\.rawValue) == numbers(row, "characters"), "\(comment)")
            expectCreated(item.created, row, comment)
        }
    }

    private func expectEqual(_ items: [RickAndMorty.Location], _ rows: [[String: Any]], _ response: Corpus.Response) {
        #expect(items.count == rows.count, "\(response.name)")
        for (item, row) in zip(items, rows) {
            let comment = "\(response.name): \(item.id.rawValue)"
            #expect(item.id.rawValue == (row["id"] as? NSNumber)?.int64Value, "\(comment)")
            #expect(item.name == text(row, "name"), "\(comment)")
            #expect(item.type == text(row, "type"), "\(comment)")
            #expect(item.dimension == text(row, "dimension"), "\(comment)")
            #expect(item.residents.map(\.rawValue) == numbers(row, "residents"), "\(comment)")
            expectCreated(item.created, row, comment)
        }
    }
}
