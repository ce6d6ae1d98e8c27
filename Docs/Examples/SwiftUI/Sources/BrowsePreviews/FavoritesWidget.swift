import BrowseKit
import Foundation
import ImageIO
import SwiftUI
import WidgetKit

// A widget with favorites; the page "Refresh in the background" shows it.

struct FavoritesWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "favorites", provider: FavoritesProvider(container: .app())) { entry in
            FavoritesWidgetView(rows: entry.rows)
        }
        .supportedFamilies([.systemSmall, .systemMedium])
    }
}

nonisolated struct FavoritesEntry: TimelineEntry {
    nonisolated struct Row: Identifiable {
        let id: Favorite.ID
        let title: String
        let image: Data?
        let link: URL?
    }

    let date = Date.now
    var rows: [Row] = []
}

nonisolated struct FavoritesProvider: TimelineProvider {
    let container: Container

    func placeholder(in context: Context) -> FavoritesEntry { FavoritesEntry() }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (FavoritesEntry) -> Void) {
        Task { completion(await entry()) }
    }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<FavoritesEntry>) -> Void) {
        // The app reloads the timelines when favorites change.
        Task { completion(Timeline(entries: [await entry()], policy: .never)) }
    }

    /// Returns the first three favorites.
    @MainActor
    private func entry() async -> FavoritesEntry {
        let list = container.favoriteListViewModel()
        list.query = FavoriteQuery(order: .added)
        await list.show()
        let images = container.imageRepository()
        var entry = FavoritesEntry()
        for row in list.state.content.rows.prefix(3) {
            var image: EncodedImage?
            if let request = row.favorite.image.map({ ImageRequest($0, side: 96) }) {
                // Of any age, because the app loads a newer one.
                image = await images.storedImage(for: request)
                if image == nil { image = try? await images.image(for: request) }
            }
            let link = row.route?.path.flatMap { URL(string: "browse://\($0)") }
            let title = row.favorite.title
            entry.rows.append(FavoritesEntry.Row(id: row.id, title: title, image: image?.data, link: link))
        }
        return entry
    }
}

struct FavoritesWidgetView: View {
    let rows: [FavoritesEntry.Row]

    var body: some View {
        VStack(alignment: .leading) {
            ForEach(rows) { row in
                if let link = row.link {
                    Link(destination: link) { view(of: row) }
                } else {
                    view(of: row)
                }
            }
        }
        // A small widget is a single link.
        .widgetURL(rows.first?.link)
        .containerBackground(.background, for: .widget)
    }

    private func view(of row: FavoritesEntry.Row) -> some View {
        HStack {
            if let image = picture(of: row) { image.resizable().scaledToFit().frame(width: 32, height: 32) }
            Text(row.title)
        }
    }

    /// Decodes the image in the size of the row, because WidgetKit limits the size.
    private func picture(of row: FavoritesEntry.Row) -> Image? {
        guard let data = row.image, let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: 96,
        ]
        let main = CGImageSourceGetPrimaryImageIndex(source)
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, main, options as CFDictionary) else { return nil }
        return Image(decorative: image, scale: 3)
    }
}

extension View {
    /// Reloads the widgets of the app when favorites change.
    func reloadingWidgets(of container: Container) -> some View {
        task {
            for await _ in container.favoriteRepository().changes { WidgetCenter.shared.reloadAllTimelines() }
        }
    }
}
