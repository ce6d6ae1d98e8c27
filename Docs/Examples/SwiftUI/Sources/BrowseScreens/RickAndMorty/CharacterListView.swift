import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The tab with all characters, or those that a person looks for.
struct CharacterListView: View {
    let container: Container

    var body: some View {
        BrowseSearch(container.characterListViewModel(), container: container, load: { await $0.showIfNeeded() }) {
            model in
            BrowseRows(model, container: container) { CharacterRowView(row: $0, list: model, container: container) }
        }
    }
}

/// A character in a list.
struct CharacterRowView<Intents: ListIntents<CharacterRow>>: View {
    let row: CharacterRow
    let list: Intents
    let container: Container

    var body: some View {
        FavoriteRowView(
            row: row,
            title: row.name,
            subtitle: row.species,
            image: row.image,
            list: list,
            container: container
        )
    }
}
