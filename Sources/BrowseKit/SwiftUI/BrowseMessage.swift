#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Accessibility
public import BrowseCore
public import SwiftUI

/// A message in place of content, with the action that helps.
public struct BrowseMessage: View {
    private let message: Message
    private let perform: @MainActor (Message.Action) async -> Route?

    /// Creates the view; a closure performs the action, as `perform(_:)` of a view model does.
    public init(_ message: Message, perform: @escaping @MainActor (Message.Action) async -> Route?) {
        self.message = message
        self.perform = perform
    }

    /// The view.
    public var body: some View {
        ContentUnavailableView {
            Label(message.title, systemImage: message.kind.symbol)
        } description: {
            Text(message.text)
        } actions: {
            MessageButton(message: message, perform: perform)
        }
    }
}

/// The button of a message, if it has an action, which opens the route that the action leads to.
private struct MessageButton: View {
    let message: Message
    let perform: @MainActor (Message.Action) async -> Route?

    @Environment(\.openBrowseRoute) private var openRoute

    var body: some View {
        if let action = message.action, let title = message.actionTitle {
            // Not in a task of the view: the button disappears as soon as the load begins, which
            // would cancel it.
            Button(title) {
                Task { openRoute(await perform(action)) }
            }
        }
    }
}

/// A message beside rows, with the action that helps.
struct MessageRow: View {
    let message: Message
    let perform: @MainActor (Message.Action) async -> Route?

    var body: some View {
        VStack(alignment: .leading) {
            Text(message.text)
            MessageButton(message: message, perform: perform)
        }
    }
}

/// A message beside content, at the bottom of the screen.
struct NoticeBanner: View {
    let notice: Message?
    let texts: Texts
    let perform: @MainActor (Message.Action) async -> Route?
    let dismiss: @MainActor () -> Void

    var body: some View {
        if let notice {
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
                    // The others help in place of content.
                    if ![.changeInput, .clearFilter, .loadAll].contains(notice.action) {
                        MessageButton(message: notice, perform: perform)
                    }
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
            // In larger text, its button to close it could be above the screen.
            .dynamicTypeSize(...DynamicTypeSize.accessibility2)
            .background(.regularMaterial)
            .onAppear { notice.announce() }
            .id(notice)
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

/// A view in place of rows.
///
/// It scrolls if large text needs more room than there is, and can be pulled down to refresh.
struct Placeholder<Content: View>: View {
    @ViewBuilder let content: Content

    var body: some View {
        GeometryReader { proxy in
            ScrollView {
                content.frame(maxWidth: .infinity, minHeight: proxy.size.height)
            }
        }
    }
}

extension Message {
    /// Lets VoiceOver speak the title and the text, which appear away from its cursor.
    @MainActor
    public func announce() {
        AccessibilityNotification.Announcement("\(title). \(text)").post()
    }
}
#endif
