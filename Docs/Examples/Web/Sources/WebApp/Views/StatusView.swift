import BrowseKit

/// The heading of a page.
struct HeaderView: Sendable {
    var title: String
    var subtitle: String?
    var image: ImageView?
    var links: [Link] = []
    var marks: [MarkView] = []
}

/// The message beside a page's content.
struct NoticeView: Sendable {
    var message: MessageView?
    /// The title of the button that removes the message.
    var dismiss: String

    init(_ notice: Message?, in context: PageContext) {
        message = notice.map { MessageView($0, action: nil) }
        dismiss = context.texts(.dismiss)
    }
}

/// A message and the form of the action that helps.
struct MessageView: Sendable {
    var title: String
    var text: String
    /// The action of the form; `nil` if no button helps.
    var action: String?
    var actionTitle: String?
    /// Where the button leads instead, such as to the page for signing in.
    var link: Link?

    init(_ message: Message, action: String?, link: Link? = nil) {
        title = message.title
        text = message.text
        self.action = action
        self.link = link
        actionTitle = message.actionTitle
    }
}

/// The status of a list, which screen readers announce when it changes.
struct StatusView: Sendable {
    /// The status for styles and tests: `idle`, `loading`, `ready`, `empty`, or `failed`.
    var status: String
    /// The number of results, their age, or why there are none yet.
    var lines: [String]
    /// The message in place of the rows.
    var message: MessageView?

    init<Row>(_ part: ListPart<Row>, address: PageAddress, in context: PageContext) {
        let texts = context.texts
        lines = [part.hint, part.summary, part.content.age, part.content.waiting?.title].compactMap(\.self)
        switch part.content.status {
        case .idle: status = "idle"
        case .loading, .refreshing, .loadingMore:
            status = "loading"
            lines.append(texts(.loading))
        case .ready: status = "ready"
        case .empty(let text), .noMatches(let text):
            status = "empty"
            message = MessageView(text, address: address)
        case .failed(let text), .failedMore(let text):
            status = "failed"
            message = MessageView(text, address: address)
        }
        if part.isWaiting { status = "loading" }
    }
}

extension MessageView {
    /// Creates the message of a list, whose button repeats the load, clears the filter, or signs in.
    init(_ message: Message, address: PageAddress) {
        switch message.action {
        case .retry, .retryLater: self.init(message, action: PageAction.retry)
        case .signIn: self.init(message, action: nil, link: Link(address: "/sign-in"))
        case .clearFilter: self.init(message, action: nil, link: Link(address: address.withoutQuery.text))
        case .loadAll: self.init(message, action: PageAction.loadAll)
        case .changeInput, nil: self.init(message, action: nil)
        }
    }
}

/// The link to the next page of a list.
struct MoreView: Sendable {
    /// The link; `nil` at the end.
    var link: Link?

    init<Row>(_ list: ListState<Row>, address: PageAddress, in context: PageContext) {
        guard list.hasMore, address.pageCount < PageAddress.pageLimit else { return }
        let next = address.with("pages", "\(address.pageCount + 1)")
        link = Link(address: next.text + "#more", title: context.texts(.more))
    }
}
