import BrowseKit
import SwiftUI

/// A message in place of content, with the action that helps.
struct MessageView: View {
    let message: Message
    let perform: @MainActor (Message.Action) async -> Void

    var body: some View {
        ContentUnavailableView {
            Label(message.title, systemImage: message.kind.symbol)
        } description: {
            Text(message.text)
        } actions: {
            MessageButton(message: message, perform: perform)
        }
    }
}

/// The button that performs the action of a message, if it has one.
struct MessageButton: View {
    let message: Message
    let perform: @MainActor (Message.Action) async -> Void

    var body: some View {
        if let action = message.action, let title = message.actionTitle {
            // Not in a task of the view: the button disappears as soon as the load begins, which would cancel it.
            Button(title) {
                Task { await perform(action) }
            }
        }
    }
}

/// A message beside content, at the bottom of the screen.
struct NoticeBanner: View {
    let notice: Message
    let perform: @MainActor (Message.Action) async -> Void
    let dismiss: @MainActor () -> Void

    @Environment(\.texts) private var texts

    var body: some View {
        HStack(alignment: .top) {
            VStack(alignment: .leading) {
                Label {
                    VStack(alignment: .leading) {
                        Text(notice.title).font(.headline)
                        Text(notice.text).font(.subheadline)
                    }
                } icon: {
                    Image(systemName: notice.kind.symbol).accessibilityHidden(true)
                }
                .accessibilityElement(children: .combine)
                if isActionHelpful { MessageButton(message: notice, perform: perform) }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            .padding(.vertical)
            Button(action: dismiss) {
                Label(texts(.close), systemImage: "xmark")
                    .labelStyle(.iconOnly)
                    // The least size of a target for touch.
                    .frame(minWidth: 44, minHeight: 44)
                    .contentShape(.rect)
            }
            .buttonStyle(.plain)
        }
        .padding(.leading)
        .background(.regularMaterial)
        .onAppear { announce(notice) }
    }

    /// Whether the action helps beside content.
    private var isActionHelpful: Bool {
        switch notice.action {
        // Loading again doesn't repeat a change that couldn't be stored.
        case .retry, .retryLater: notice.kind != .storage
        case .signIn, .open: true
        case .changeInput, .clearFilter, .loadAll, nil: false
        }
    }
}

extension Message.Kind {
    /// The name of a system image.
    fileprivate var symbol: String {
        switch self {
        case .empty: "tray"
        case .noMatches, .notFound: "magnifyingglass"
        case .offline: "wifi.slash"
        case .timedOut, .rateLimited: "clock"
        case .unauthorized, .signInFailed, .forbidden: "person.crop.circle.badge.exclamationmark"
        case .rejected, .serverFailure: "exclamationmark.icloud"
        case .unsafe: "exclamationmark.shield"
        case .storage: "externaldrive.badge.exclamationmark"
        }
    }
}
