extension GitHub {
    /// Owns the session: signs in and out, and tells everybody who is signed in.
    ///
    /// There is one for an app. It begins with what was stored when it is first followed or started. Each step is told when
    /// it is done, in the order of ``Session``'s cases: the token is in use before the person is asked for, the person is
    /// known before their stars are loaded, and the stars are known before screens are told to show what is theirs.
    public actor SessionManager {
        /// Which code repositories the person has starred; it follows the session.
        public nonisolated let stars: StarStore

        private let tokens: any TokenRepository
        private let users: any UserRepository
        private nonisolated let broadcast = Broadcast<Session>(replaying: .restoring)
        private var grant: Grant.ID?
        /// Counts sign-ins and sign-outs, so that one that was overtaken notices.
        private var attempts = 0
        private var starting: Task<Void, Never>?
        private var following: Task<Void, Never>?
        private var establishing: Task<BrowseError?, Never>?
        /// Changes of the token, so that none is overtaken half-way.
        nonisolated let changes = SerialTaskQueue()
        /// Counts beginnings, so that one that was overtaken tells nothing any more.
        private var beginnings = 0

        /// Creates a manager that has not begun.
        ///
        /// - Parameters:
        ///   - tokens: Where the token is kept.
        ///   - users: Tells whose a token is.
        ///   - stars: What the person has starred.
        public init(tokens: any TokenRepository, users: any UserRepository, stars: StarStore) {
            self.tokens = tokens
            self.users = users
            self.stars = stars
        }

        deinit {
            following?.cancel()
            establishing?.cancel()
        }

        /// The session as it is now.
        public nonisolated var current: Session { broadcast.replayed ?? .restoring }

        /// The sessions from now on, the current one first; it ends when the manager goes away.
        public nonisolated var sessions: AsyncStream<Session> {
            // It listens before it begins, so that it hears the beginning too.
            let stream = broadcast.stream()
            Task { [weak self] in await self?.start() }
            return stream
        }

        /// Begins with what was stored, unless that was done; returns when it is known who is signed in, or that nobody is.
        ///
        /// Before the device's first unlock the stored session can't be read. Then this returns while the session is still
        /// ``Session/restoring``, and the next call, or the next request to GitHub, reads again.
        public func start() async {
            await restoring().value
            _ = await establishing?.value
        }

        /// Signs in, in place of whoever was; returns when all of ``Session/ready(_:)`` is there.
        ///
        /// Cancelling the calling task does not take back what has begun.
        ///
        /// - Parameter credentials: What a sign-in gave, or a personal access token.
        /// - Throws: ``BrowseError``: `.storageFailed` when they could not be stored, `.unauthorized` when GitHub does not
        ///   take them, `.cancelled` when another sign-in or sign-out came between. Other failures leave the session
        ///   ``Session/unidentified(_:)``.
        public func signIn(with credentials: Credentials) async throws(BrowseError) {
            await restoring().value
            attempts += 1
            let attempt = attempts
            let result = await changes.run { await self.replace(with: credentials) }
            guard attempt == attempts else { throw .cancelled }
            do throws(BrowseError) {
                if let error = await begin(try result.get()).value { throw error }
            } catch {
                if case .storageFailed(let failure) = error { publish(.signedOut(.storage(failure))) }
                throw error
            }
        }

        /// Signs out; nobody is signed in when this returns or throws.
        ///
        /// What the person had starred and what has not been sent yet is forgotten.
        ///
        /// - Throws: ``BrowseError``: `.storageFailed` when the stored token could not be deleted, anything else when GitHub
        ///   could not be asked to revoke it.
        public func signOut() async throws(BrowseError) {
            await restoring().value
            attempts += 1
            let (old, failure) = await changes.run { await self.end() }
            var failures = [failure]
            if let old {
                do throws(BrowseError) { try await tokens.revoke(old) } catch { failures.append(error) }
            }
            if let failure = failures.compactMap(\.self).first { throw failure }
        }

        /// Reads the starred list of the signed-in user again; does nothing until the session is ready.
        ///
        /// Returns when the list is read. ``StarStore/failure`` says why it couldn't be.
        public func reloadStars() async {
            guard case .ready = current else { return }
            await stars.load()
        }

        /// Asks again for what could not be loaded or read: whose the token is, what they have starred, what is stored.
        public func retry() async {
            await restoring().value
            switch current {
            case .unidentified:
                let (beginning, attempt) = (beginnings, attempts)
                // After a sign-out that is under way, which may have ended this.
                let grant = await changes.run { [tokens] in try? await tokens.current() }
                guard let grant, beginning == beginnings, attempt == attempts else { break }
                _ = await begin(grant).value
            case .ready where stars.needsReload:
                await stars.load()
            case .signedOut(.storage):
                starting = nil
                await start()
            case .restoring, .signedOut, .signingIn, .identified, .ready:
                break
            }
        }
    }
}

extension GitHub.SessionManager {
    private func restoring() -> Task<Void, Never> {
        if let starting { return starting }
        // Before anything is asked with the token, so that no end of it is missed.
        if following == nil { follow(tokens.events) }
        let task = Task { await restore() }
        starting = task
        return task
    }

    private func restore() async {
        let (beginning, attempt) = (beginnings, attempts)
        // After a sign-in or sign-out in progress.
        let result = await changes.run { [tokens] () -> Result<GitHub.Grant?, BrowseError> in
            do throws(BrowseError) { return .success(try await tokens.current()) } catch { return .failure(error) }
        }
        guard beginning == beginnings, attempt == attempts else { return }
        do throws(BrowseError) {
            guard let grant = try result.get() else { return publish(.signedOut(.noSession)) }
            begin(grant)
        } catch .storageFailed(let failure) where failure.reason == .locked {
            // Not a sign-out: the session stays as it is, and each later start reads again.
            starting = nil
        } catch {
            publish(.signedOut(GitHub.SignOutReason(error)))
        }
    }

    private func follow(_ events: AsyncStream<GitHub.TokenEvent>) {
        following = Task { [weak self] in
            for await event in events { await self?.handle(event) }
        }
    }

    private func handle(_ event: GitHub.TokenEvent) {
        switch event {
        case .revoked(let grant): end(grant, for: .revoked)
        case .signedOut(let grant): end(grant, for: .requested)
        case .unlocked:
            guard current == .restoring else { break }
            starting = nil
            _ = restoring()
        }
    }

    private func replace(
        with credentials: GitHub.Credentials
    ) async -> Result<GitHub.Grant, BrowseError> {
        // What is on its way for the one before is canceled while there is no other token that it could be sent with.
        leave(for: .requested)
        do throws(BrowseError) {
            return .success(try await tokens.begin(with: credentials))
        } catch {
            return .failure(error)
        }
    }

    /// Ends the session; returns what is to be revoked, and what stood in the way.
    private func end() async -> (GitHub.Credentials?, BrowseError?) {
        let old = try? await tokens.current()
        grant = nil
        establishing?.cancel()
        stars.end()
        var failure: BrowseError?
        do throws(BrowseError) { try await tokens.end() } catch { failure = error }
        publish(.signedOut(.requested))
        return (old?.credentials, failure)
    }

    /// Begins a session, in a task of its own: nobody who waits for it takes it along when they go.
    @discardableResult
    private func begin(_ grant: GitHub.Grant) -> Task<BrowseError?, Never> {
        self.grant = grant.id
        establishing?.cancel()
        beginnings += 1
        let beginning = beginnings
        // Whoever hears of it may tap a star at once.
        stars.activate()
        publish(.signingIn)
        let task = Task { await complete(grant, beginning) }
        establishing = task
        return task
    }

    private func complete(_ grant: GitHub.Grant, _ beginning: Int) async -> BrowseError? {
        var isCurrent: Bool { self.grant == grant.id && beginning == beginnings }
        let user: GitHub.User
        do throws(BrowseError) {
            user = try await self.user(of: grant)
        } catch {
            guard isCurrent else { return .cancelled }
            if case .unauthorized = error { end(grant.id, for: .revoked) } else { publish(.unidentified(error)) }
            return error
        }
        guard isCurrent else { return .cancelled }
        publish(.identified(user))
        await stars.load()
        guard isCurrent else { return .cancelled }
        publish(.ready(user))
        return nil
    }

    private func user(of grant: GitHub.Grant) async throws(BrowseError) -> GitHub.User {
        if let user = grant.credentials.user { return user }
        // Whose a token is does not change, so what was read before will do where GitHub cannot be reached.
        let options = LoadOptions(source: .networkElseCache)
        let user = try await options.load { [users] () throws(BrowseError) in try await users.ownProfile() }.value.user
        await tokens.identify(grant.id, as: user)
        return user
    }

    /// A grant ended; does nothing when it is not the one in use any more.
    private func end(_ grant: GitHub.Grant.ID, for reason: GitHub.SignOutReason) {
        guard self.grant == grant else { return }
        leave(for: reason)
    }

    private func leave(for reason: GitHub.SignOutReason) {
        guard grant != nil else { return }
        grant = nil
        establishing?.cancel()
        stars.end()
        publish(.signedOut(reason))
    }

    private func publish(_ session: GitHub.Session) {
        guard session != current else { return }
        broadcast.send(session, isReplayed: true)
    }
}

extension GitHub.SignOutReason {
    fileprivate init(_ error: BrowseError) {
        if case .storageFailed(let failure) = error { self = .storage(failure) } else { self = .noSession }
    }
}
