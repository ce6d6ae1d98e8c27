import BrowseCore
import BrowseData

/// A screen with the user's own account, which follows the session.
@MainActor
public final class WriterAccountViewModel: DetailViewModel {
    /// The state of the screen.
    public typealias State = EntityState<Details>

    /// The localized details of the user.
    public struct Details: EntityDetails {
        /// The name.
        public let facts: [Fact]
    }

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the account, which do what ``show()`` does.
    public var detail: DetailControls { account.controls(reload: show) }

    private let store = StateStore(State())
    private let account: DetailController<Writer, Details>
    private let session: SessionManager<Writer>
    private let client: HTTPClient
    private let texts: Texts
    private var observer: AccountObserver?

    init(session: SessionManager<Writer>, client: HTTPClient, options: ScreenOptions) {
        self.session = session
        self.client = client
        texts = options.texts
        account = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            Details(facts: [Fact("name", options.texts(.name), $0.name)])
        }
        store.update { $0.title = options.texts(.writerAccount) }
    }

    /// Shows the account as the service has it now, or why nobody is signed in.
    public func show() async {
        observer = observer ?? AccountObserver(session) { [weak self] _, _ in self?.receive() }
        await session.retry()
        receive()
        await account.refresh()
    }

    /// Signs out; a notice reports a token that couldn't be deleted or revoked.
    public func signOut() async {
        do throws(BrowseError) {
            try await session.signOut()
            receive()
        } catch {
            receive()
            if error != .cancelled { account.show(texts.signOutMessage(for: error)) }
        }
    }

    /// Shows the session as it is now.
    private func receive() {
        let status: DetailState<Details>.Status
        switch session.current {
        case .restoring, .signingIn: status = .loading
        case .signedOut(let reason): status = .failed(texts.message(for: reason))
        case .unidentified(let error): status = .failed(texts.message(for: error))
        case .identified(let user), .ready(let user):
            guard account.entity?.accountID != user.accountID else { return }
            let load = account.begin(with: EntityPreview(user)) { [client] () throws(BrowseError) in
                try await client.send(.me)
            }
            return load.keep()
        }
        // The notice about signing out stays when the observer reports the end of the session, too.
        if state.content.status != status { account.show(nil) }
        account.clear(status)
    }
}

@MainActor
extension Container {
    /// The screen with the user's own account.
    public func writerAccountViewModel() -> WriterAccountViewModel {
        WriterAccountViewModel(
            session: lettersSession(),
            client: lettersClient(),
            options: screenOptions(for: .letters)
        )
    }
}

nonisolated extension Phrase {
    fileprivate static let writerAccount = Phrase("letters.account", "Account", ko: "계정")
}
