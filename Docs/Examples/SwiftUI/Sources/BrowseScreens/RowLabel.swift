import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// A row as most lists show it: an image, a title, more text, and a mark for favorites.
struct RowLabel: View {
    let title: String
    var subtitle: String? = nil
    var image: WebAddress?
    var isFavorite: Bool = false
    let container: Container

    /// The side of the image in points; it grows with the text.
    @ScaledMetric private var side = 40.0
    @Environment(\.dynamicTypeSize) private var typeSize
    @Environment(\.texts) private var texts

    /// Puts the image above the text if the text is so large that it needs the whole width.
    private var layout: AnyLayout {
        typeSize.isAccessibilitySize ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
    }

    var body: some View {
        layout {
            BrowseImage(image, side: side, container: container)
                .frame(width: side, height: side)
                .clipShape(.rect(cornerRadius: 8))
            VStack(alignment: .leading) {
                Text(title)
                if let subtitle { Text(subtitle).font(.subheadline).foregroundStyle(.secondary) }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            if isFavorite {
                Image(systemName: "heart.fill")
                    .foregroundStyle(.pink)
                    .accessibilityLabel(texts(.favorite))
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// A row that leads to its route and can be a favorite.
struct FavoriteRowView<Row: FavoriteRow, Intents: ListIntents<Row>>: View {
    let row: Row
    let title: String
    var subtitle: String?
    let image: WebAddress?
    let list: Intents
    let container: Container

    var body: some View {
        BrowseLink(row.route) {
            RowLabel(
                title: title,
                subtitle: subtitle,
                image: image,
                isFavorite: row.isFavorite,
                container: container
            )
        }
        .rowActions {
            FavoriteButton(isFavorite: row.isFavorite) { await list.setFavorite(row.id, to: $0) }
        }
    }
}

/// A button that adds a row to the favorites or removes it.
struct FavoriteButton: View {
    let isFavorite: Bool
    /// Sets the mark.
    let set: @MainActor (Bool) async -> Void

    @Environment(\.texts) private var texts

    var body: some View {
        Button(
            texts(isFavorite ? .removeFavorite : .addFavorite),
            systemImage: isFavorite ? "heart.fill" : "heart"
        ) {
            // `Task.immediate` of iOS 26 would change the mark in this frame, so that `withAnimation` applies to it.
            Task { await set(!isFavorite) }
        }
        .tint(.pink)
    }
}

/// A button that makes the thing of a screen a favorite.
struct FavoriteToggle<Model: DetailViewModel>: View {
    let model: Model

    var body: some View {
        FavoriteButton(isFavorite: model.state.isFavorite) { await model.setFavorite(to: $0) }
            .disabled(model.state.content.details == nil)
    }
}

/// A button that stars a repository, or asks to sign in first.
struct StarButton: View {
    let isStarred: Bool
    /// Sets the star.
    let set: @MainActor (Bool) async -> Route?

    @Environment(\.texts) private var texts
    @Environment(\.openBrowseRoute) private var openRoute

    var body: some View {
        Button(texts(isStarred ? .unstar : .star), systemImage: isStarred ? "star.fill" : "star") {
            Task { openRoute(await set(!isStarred)) }
        }
        .tint(.orange)
    }
}

extension View {
    /// Adds the same swipe actions and context menu to a row; VoiceOver has them as the row's actions.
    func rowActions(@ViewBuilder _ actions: () -> some View) -> some View {
        let actions = actions()
        return swipeActions { actions }.contextMenu { actions }
    }
}
