import Foundation
import Synchronization
import WebSupport

/// A page in a visitor's browser.
struct OpenPage: Sendable {
    /// The view model.
    let page: LivePage
    /// The changes since the HTML.
    let feed: PageFeed
}

/// The events of an open page. Its streams read them, and its view model's states write them.
///
/// Writing starts with the first stream, so a page without JavaScript costs nothing. It ends when the page is released, because
/// the feed doesn't hold the view model.
final class PageFeed: Sendable {
    /// A stream of contents, the current one first, that ends when the view model is released.
    typealias Contents = any AsyncSequence<PageContent, Never> & Sendable

    /// The events.
    let log = EventLog()
    private let contents: Contents
    private let difference: @Sendable () -> PageDifference
    private let writer = Mutex<Task<Void, Never>?>(nil)

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - contents: The contents of the page.
    ///   - difference: Creates the comparison, which starts with the page's HTML, event 0; called when the first stream begins.
    init(_ contents: Contents, since difference: @escaping @Sendable () -> PageDifference) {
        self.contents = contents
        self.difference = difference
    }

    deinit {
        writer.withLock { $0?.cancel() }
        log.finish()
    }

    /// Returns the event of operations; `nil` without any.
    static func event(_ operations: [PageOperation], id: String? = nil) -> ServerSentEvent? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard !operations.isEmpty, let data = try? encoder.encode(operations) else { return nil }
        return ServerSentEvent(id: id, name: "patch", data: String(decoding: data, as: UTF8.self))
    }

    /// Returns a reader of a text, and of the events after another one, and starts to write.
    func subscribe(after number: Int, first: String? = nil) -> EventSubscription {
        writer.withLock { writer in
            guard writer == nil else { return }
            writer = Task { [log, contents, difference] in await Self.write(contents, to: log, since: difference()) }
        }
        return log.subscribe(after: number, first: first)
    }

    @concurrent
    private static func write(_ contents: Contents, to log: EventLog, since difference: PageDifference) async {
        var difference = difference
        for await content in contents {
            guard let event = event(difference.advance(to: content)) else { continue }
            log.append(name: event.name, data: event.data)
        }
        log.finish()
    }
}
