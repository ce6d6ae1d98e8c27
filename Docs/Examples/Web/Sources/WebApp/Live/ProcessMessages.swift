import Foundation
import ServerStores
import Synchronization
import WebSupport

/// Performs actions in the process that has the stream of their page.
///
/// Nothing stores which process that is: all are asked, and each answers.
final class ProcessMessages: Sendable {
    /// The longest wait for the answers of all processes; one that hangs doesn't answer.
    static let answerTime = Duration.milliseconds(250)

    private enum Message: Codable {
        case action(UUID, visitor: String, page: String, fields: [String: String])
        case answer(UUID, Answer)
        case polling(visitor: String, process: UUID)
        case replaced(visitor: String, digest: String)
    }

    private enum Answer: Codable {
        case refused, accepted
        case done(location: String?)
    }

    private let channel: any ProcessChannel
    private let process = UUID()
    private let questions = Mutex<[UUID: AsyncStream<Answer>.Continuation]>([:])

    init(_ channel: any ProcessChannel) {
        self.channel = channel
    }

    /// Performs an action on a page with a stream at another process.
    ///
    /// - Returns: The result; `nil` if no process has a stream of the page, or none answers in time.
    func perform(
        _ fields: [String: String],
        on page: String,
        of visitor: VisitorID,
        atMost limit: Duration,
        clock: any Clock<Duration>
    ) async -> PageOutcome? {
        let question = UUID()
        let (answers, continuation) = AsyncStream<Answer>.makeStream()
        questions.withLock { $0[question] = continuation }
        defer { questions.withLock { $0[question] = nil } }
        let count = await send(.action(question, visitor: visitor.key, page: page, fields: fields))
        guard let count, count > 1 else { return nil }
        let isAccepted = Atomic(false)
        let timer = Task {
            try? await clock.sleep(for: Self.answerTime)
            if isAccepted.load(ordering: .relaxed) { try? await clock.sleep(for: limit) }
            continuation.finish()
        }
        defer { timer.cancel() }
        var refusals = 0
        for await answer in answers {
            switch answer {
            case .refused:
                refusals += 1
                if refusals == count { return nil }
            case .accepted: isAccepted.store(true, ordering: .relaxed)
            case .done(let location): return location.map(PageOutcome.go) ?? .stay
            }
        }
        return nil
    }

    /// Notifies other processes that this one polls for a visitor's code.
    func startPolling(_ visitor: String) async {
        _ = await send(.polling(visitor: visitor, process: process))
    }

    /// Notifies other processes that an id was replaced, so that they end its streams.
    func replace(_ former: VisitorID) async {
        _ = await send(.replaced(visitor: former.key, digest: former.digest))
    }

    /// Answers the messages of other processes until the task is canceled.
    func run(_ site: Site) async {
        for await data in channel.messages {
            guard let message = try? JSONDecoder().decode(Message.self, from: data) else { continue }
            switch message {
            case .action(let question, let visitor, let page, let fields):
                // The sender needs a page of the visitor's, not only access to the channel.
                let open = site.visitors.value(for: visitor).flatMap { visitor in
                    let isOwn = (try? site.formTokens.check(fields["csrf"], of: visitor.id)) == true
                    return isOwn ? visitor.pages.value(for: page) : nil
                }
                // Not one by one: an action may take long.
                Task {
                    guard let open, open.feed.log.readerCount > 0 else { return await answer(question, .refused) }
                    await answer(question, .accepted)
                    let outcome = await site.perform(PageAction(fields), on: open.page)
                    guard case .go(let location) = outcome else { return await answer(question, .done(location: nil)) }
                    await answer(question, .done(location: location))
                }
            case .answer(let question, let answer): _ = questions.withLock { $0[question]?.yield(answer) }
            case .polling(let visitor, let sender):
                if sender != process { site.visitors.value(for: visitor)?.session.stopPolling() }
            case .replaced(let visitor, let digest): site.visitors.remove(visitor) { $0.id.digest == digest }
            }
        }
    }

    private func answer(_ question: UUID, _ answer: Answer) async {
        _ = await send(.answer(question, answer))
    }

    private func send(_ message: Message) async -> Int? {
        guard let data = try? JSONEncoder().encode(message) else { return nil }
        return try? await channel.send(data)
    }
}
