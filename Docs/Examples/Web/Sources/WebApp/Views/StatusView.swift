import BrowseKit

/// The message beside a page's content.
struct NoticeView: Sendable {
    var message: MessageView?
    /// The title of the button that removes the message.
    var dismiss: String

    init(_ notice: Message?, in context: PageContext) {
        message = notice.map { notice in
            var message = MessageView(title: notice.title, text: notice.text)
            let actionTitle = notice.actionTitle ?? ""
            switch notice.action {
            case .signIn: message.link = Link(address: "/sign-in", title: actionTitle)
            case .open(let page): message.link = Link(address: page.rawValue, title: actionTitle)
            // The content has its own message.
            case .retry, .retryLater, .loadAll, .clearFilter, .changeInput, nil: break
            }
            return message
        }
        dismiss = context.texts(.dismiss)
    }
}

/// A message, and the action that helps.
struct MessageView: Sendable {
    var title: String
    var text: String
    var button: ButtonView?
    var link: Link?
}

extension MessageView {
    /// Creates a message whose button or link does what the view model recommends.
    init(_ message: Message, at address: PageAddress) {
        title = message.title
        text = message.text
        let actionTitle = message.actionTitle ?? ""
        switch message.action {
        case .retry, .retryLater: button = ButtonView(.retry, actionTitle)
        case .loadAll: button = ButtonView(.loadAll, actionTitle)
        case .signIn: link = Link(address: "/sign-in", title: actionTitle)
        case .clearFilter: link = Link(address: address.withoutQuery.text, title: actionTitle)
        case .open(let page): link = Link(address: page.rawValue, title: actionTitle)
        case .changeInput, nil: break
        }
    }
}

/// The status of a page's content, which screen readers announce when it changes.
struct StatusView: Sendable {
    /// The status for styles and tests.
    enum Status: String, Sendable {
        case idle, loading, ready, empty, failed
    }

    /// The ``Status``.
    var status: String
    /// The number of results, their age, or why there are none yet.
    var lines: [String]
    /// The message in place of the content.
    var message: MessageView?

    init(_ status: Status, lines: [String?] = [], message: MessageView? = nil) {
        self.status = status.rawValue
        self.lines = lines.compactMap(\.self)
        self.message = message
    }

    /// Creates the status of a list.
    init<Row>(
        _ list: ListState<Row>,
        of search: (any SearchScreenState)? = nil,
        at address: PageAddress,
        in context: PageContext
    ) {
        let loading = context.texts(.loading)
        let lines = [search?.hint, search?.summary, list.age]
        switch list.status {
        case _ where search?.isWaiting == true: self.init(.loading, lines: lines + [loading])
        case .idle: self.init(.idle, lines: lines)
        case .loading, .refreshing, .loadingMore: self.init(.loading, lines: lines + [loading])
        case .ready: self.init(.ready, lines: lines)
        case .empty(let message), .noMatches(let message):
            self.init(.empty, lines: lines, message: MessageView(message, at: address))
        case .failed(let message), .failedMore(let message), .failedRefresh(let message):
            self.init(.failed, lines: lines, message: MessageView(message, at: address))
        }
    }

    /// Creates the status of one thing.
    init<Details>(_ state: DetailState<Details>, at address: PageAddress, in context: PageContext) {
        switch state.status {
        case .idle, .loading: self.init(.loading, lines: [context.texts(.loading)])
        case .loaded: self.init(.ready, lines: [state.age])
        case .failed(let message): self.init(.failed, message: MessageView(message, at: address))
        }
    }
}

/// The link to the next page of a list.
struct MoreView: Sendable {
    /// The link; `nil` at the end.
    var link: Link?

    init<Row>(_ list: ListState<Row>, at address: PageAddress, in context: PageContext) {
        guard list.hasMore, list.rows.count < rowLimit else { return }
        let next = address.with("pages", "\(address.pageCount + 1)")
        link = Link(address: next.text + "#more", title: context.texts(.more))
    }
}
