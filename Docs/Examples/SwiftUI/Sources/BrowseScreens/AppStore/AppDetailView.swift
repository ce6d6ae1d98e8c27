import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The page of an app.
struct AppDetailView: View {
    let id: AppStore.AppID
    let preview: EntityPreview<AppStore.App>?
    let container: Container
    @Environment(\.openBrowseRoute) private var openRoute
    @Environment(\.texts) private var texts

    var body: some View {
        BrowseDetail(model, container: container) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            ForEach(details.sections) { section in
                Section {
                    content(of: section.kind, details, model)
                } header: {
                    if let title = section.title { Text(title) }
                }
            }
        } actions: { model in
            FavoriteToggle(model: model)
            if let share = model.state.content.details?.main.share, let link = share.link.url {
                ShareLink(item: link, subject: Text(share.title))
            }
        }
    }

    private var model: AppDetailViewModel {
        let model = container.appDetailViewModel()
        // Sends no request, so the first frame shows a known app.
        if let preview { model.showIfNeeded(preview) }
        return model
    }

    @ViewBuilder
    private func content(
        of kind: AppDetails.Section.Kind,
        _ details: AppDetails,
        _ model: AppDetailViewModel
    ) -> some View {
        switch kind {
        case .main:
            RowLabel(
                title: details.main.name,
                subtitle: details.main.genre,
                image: details.main.icon,
                container: container
            )
            if let page = details.main.share.link.url { Link(texts(.viewInAppStore), destination: page) }
        case .summary:
            ForEach(details.summary.filter { $0.id == "rating" }) { fact in
                LabeledContent(fact.label) { RatingView(rating: details.rating, text: fact.value) }
            }
            BrowseFacts(details.summary.filter { $0.id != "rating" })
        case .screenshots:
            ScreenshotStrip(screenshots: details.screenshots, container: container) { position in
                openRoute(model.openScreenshot(at: position))
            }
        case .description:
            if let description = model.state.description { Text(description) }
            if let title = model.state.descriptionActionTitle {
                Button(title) {
                    withAnimation { model.toggleDescription() }
                }
            }
        case .whatsNew:
            if let news = details.whatsNew {
                if let version = news.version { LabeledContent(version, value: news.date ?? "") }
                Text(news.notes)
            }
        case .info:
            BrowseFacts(details.facts)
        }
    }
}

/// Five stars, and what they say.
private struct RatingView: View {
    let rating: RatingLabel?
    let text: String

    var body: some View {
        // Large text needs the second.
        ViewThatFits {
            HStack { content }
            VStack(alignment: .trailing) { content }
        }
        .accessibilityElement(children: .combine)
    }

    @ViewBuilder private var content: some View {
        if let rating {
            HStack {
                ForEach(rating.stars.indices, id: \.self) { position in
                    Image(systemName: rating.stars[position].symbol)
                }
            }
            .accessibilityHidden(true)
        }
        Text(text)
    }
}

extension AppStore.Rating.Star {
    /// The name of a system image.
    fileprivate var symbol: String {
        switch self {
        case .full: "star.fill"
        case .half: "star.leadinghalf.filled"
        case .empty: "star"
        }
    }
}

/// Small screenshots, which open the gallery.
private struct ScreenshotStrip: View {
    let screenshots: [WebAddress]
    let container: Container
    let open: @MainActor (Int) -> Void

    @Environment(\.texts) private var texts

    var body: some View {
        ScrollView(.horizontal) {
            LazyHStack {
                ForEach(screenshots.indices, id: \.self) { position in
                    Button {
                        open(position)
                    } label: {
                        BrowseImage(screenshots[position], side: 200, container: container)
                            .frame(width: 120, height: 200)
                    }
                    .buttonStyle(.plain)
                    .accessibilityLabel(texts(.screenshot(position + 1, of: screenshots.count)))
                }
            }
        }
        .scrollIndicators(.hidden)
    }
}
