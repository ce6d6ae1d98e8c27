import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `Text that a person types` {
    private nonisolated static let nfd = "\u{1112}\u{1161}\u{11AB}"

    @Test(arguments: [
        (nfd, "한"), ("“hello world”", "\"hello world\""), ("\u{200B}mona\u{FEFF} ", "mona"),
        ("mona\nlisa", "mona lisa"),
    ])
    func `is sent to GitHub in normal form`(typed: String, text: String) async {
        let held = ControlledResponses<InMemoryUserRepository.Call, Page<GitHub.User>>()
        held.answer(0, with: .success(Page(items: [], totalCount: 0)))
        let model = UserSearchViewModel(
            repository: InMemoryUserRepository { [held] call throws(BrowseError) in
                .results(try await held.response(to: call))
            },
            favorites: InMemoryFavoriteRepository(),
            options: ScreenOptions(texts: .english)
        )
        model.query.text = typed
        // An equal text in another form is the same text.
        model.query.text = typed.precomposedStringWithCanonicalMapping
        await model.submit()
        guard case .search(let sent, _) = held.requests.first else {
            Issue.record("Nothing was sent.")
            return
        }
        // Swift's strings compare canonically.
        #expect(sent.text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [
        ("Beth’s", "Beth's Mytholog"), ("“Rick”", "\"Rick\""), (" beth\u{200B}'s", "Beth's Mytholog"),
        ("e\u{301}t", "\u{E9}té"),
    ])
    func `finds a character of Rick and Morty`(typed: String, name: String) async {
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: name)
        let model = CharacterListViewModel(
            repository: InMemoryCharacterRepository([character]),
            options: ScreenOptions(texts: .english)
        )
        model.query.name = typed
        await model.submit()
        #expect(model.state.content.rows.map(\.name) == [name])
    }

    @Test(arguments: ["ㅎ", "하", "한", "한ㄱ", "한그", "ㅎㄱ", "\u{1112}\u{1161}"])
    func `finds Korean favorites in every order`(filter: String) async {
        let names: [(Int64, String)] = [(1, "한글"), (2, "서울")]
        let characters = names.map { RickAndMorty.Character(id: .init(rawValue: $0), name: $1) }
        let favorites = InMemoryFavoriteRepository(characters.map { .character($0) })
        let model = FavoriteListViewModel(favorites: favorites, kinds: [], options: ScreenOptions(texts: .korean))
        await model.show()
        for order in [FavoriteQuery.Order.name, .added] {
            model.query = FavoriteQuery(filter: filter, order: order)
            await model.submit()
            #expect(model.state.content.rows.map(\.favorite.title) == ["한글"])
        }
    }
}
