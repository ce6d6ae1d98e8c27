@testable import BrowseData
import BrowseDomain
@testable import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation

/// All responses of the Rick and Morty API.
@Sendable func rickAndMorty(_ input: [UInt8]) {
    let response = Response(input)
    InlineExecutor.run {
        let characters = RemoteCharacterRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await characters.page(of: .init(), at: nil) }) {
            check($0, of: response)
            if let character = $0.items.first { checkStoring(character) }
        }
        check(await outcome { () async throws(BrowseError) in try await characters.entity(.init(rawValue: 1)) }) {
            checkStoring($0)
        }
        let ids = [1, 2, 38].map(RickAndMorty.Character.ID.init(rawValue:))
        check(await outcome { () async throws(BrowseError) in try await characters.entities(ids) }) {
            require($0.items.count <= ids.count, "there are no more than requested")
            require($0.items.allSatisfy { ids.contains($0.id) }, "all were requested")
        }
        let episodes = RemoteEpisodeRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await episodes.page(of: .init(), at: nil) }) {
            check($0, of: response)
        }
        check(await outcome { () async throws(BrowseError) in try await episodes.entity(.init(rawValue: 1)) })
        let locations = RemoteLocationRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await locations.page(of: .init(), at: nil) }) {
            check($0, of: response)
        }
        check(await outcome { () async throws(BrowseError) in try await locations.entity(.init(rawValue: 1)) })
    }
}

private func client(_ response: Response) -> HTTPClient {
    HTTPClient(
        service: .rickAndMorty(baseURL: URL(fixed: "https://api.example"), userAgent: "BrowseKit-Fuzz"),
        transport: ResponseTransport(response),
        options: .init { $0.now = { now } }
    )
}
