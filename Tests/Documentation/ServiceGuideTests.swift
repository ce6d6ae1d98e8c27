import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Compiles and runs the samples of the guides of services.
@MainActor
@Suite(.bounded) struct `The samples of the guides of services` {
    let container = Container.offline()

    @Test func `search for an app, and open it`() async {
        let search = container.appSearchViewModel()
        search.query.text = "https://apps.apple.com/us/app/tea/id1500000001"
        await search.submit()
        for row in search.state.content.rows { print(row.name, row.price) }
        if let hint = search.state.hint { print(hint) }
        #expect(search.state.content.status == .ready)

        let page = container.appDetailViewModel()
        if case .appStore(.app(let id, let preview)) = search.state.content.rows.first?.route?.screen {
            if let preview { page.showIfNeeded(preview) }
            await page.showIfNeeded(id)
        }
        for fact in page.state.content.details?.facts ?? [] { print(fact.label, fact.value) }
        if let age = page.state.content.age { print(age) }
        #expect(page.state.content.provenance == .fresh)
    }

    @Test func `choose a storefront`() {
        let configuration = Configuration().with { $0.appStore.country = .serving("uk") }
        #expect(configuration.storefront.country.code == "gb")
    }

    @Test func `list characters, and show one`() async {
        let characters = container.characterListViewModel()
        await characters.showIfNeeded()
        characters.query.status = .alive
        await characters.submit()
        print(characters.state.summary ?? "", characters.state.content.rows.map(\.name))

        let details = container.characterDetailViewModel()
        if case .rickAndMorty(.character(let id)) = characters.state.content.rows.first?.route?.screen {
            await details.showIfNeeded(id)
        }
        for fact in details.state.content.details?.facts ?? [] { print(fact.label, fact.value) }
        for episode in details.state.related.rows { print(episode.name, episode.airDate) }
        #expect(details.state.content.details != nil)
    }

    @Test func `return to the foreground`() async {
        await container.appDidBecomeActive()
    }
}
