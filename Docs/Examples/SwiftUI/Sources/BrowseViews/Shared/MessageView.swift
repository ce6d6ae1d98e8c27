import Accessibility
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
    let dismiss: @MainActor () -> Void

    @Environment(\.texts) private var texts

    var body: some View {
        HStack {
            Label {
                VStack(alignment: .leading) {
                    Text(notice.title).font(.headline)
                    Text(notice.text).font(.subheadline)
                }
            } icon: {
                Image(systemName: notice.kind.symbol)
            }
            .accessibilityElement(children: .combine)
            Spacer()
            Button(texts(.close), systemImage: "xmark", action: dismiss)
                .labelStyle(.iconOnly)
        }
        .padding()
        .background(.regularMaterial)
        .onAppear {
            AccessibilityNotification.Announcement(notice.text).post()
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
        case .timedOut, .rateLimited, .waiting: "clock"
        case .unauthorized, .signInFailed, .forbidden: "person.crop.circle.badge.exclamationmark"
        case .rejected, .serverFailure: "exclamationmark.icloud"
        case .unsafe: "exclamationmark.shield"
        case .storage: "externaldrive.badge.exclamationmark"
        }
    }
}
