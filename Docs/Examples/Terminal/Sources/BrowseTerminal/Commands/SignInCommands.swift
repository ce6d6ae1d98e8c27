import ArgumentParser
import BrowseData
import BrowseKit

/// `browse login`
struct LoginCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command(
        "login",
        "Sign in with a code that you enter on GitHub's website. Ctrl-C stops.",
        """
        The sign-in is saved in the storage folder, in a file that only you can read. A server requires --client-id, the ID of an \
        OAuth app that allows the device flow.
        """
    )

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try common.requireServer()
        // The token would replace the new sign-in, which isn't stored then.
        guard common.tokenEnv == nil else {
            throw ValidationError("A sign-in isn't saved beside a token; don't combine this command with --token-env.")
        }
    }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.gitHubSignInViewModel()
        let progress = Progress(session.errors, canErase: session.canErase)
        let prompting = Task { [states = model.states.every] in
            var shown: String?
            for await case .waitingForCode(let prompt) in states {
                if shown != prompt.userCode { session.prompt(prompt) }
                shown = prompt.userCode
                progress.show(prompt.problem?.text ?? session.texts(.waitingForCode))
            }
        }
        await model.signInByCode()
        prompting.cancel()
        // Shows the code even if the sign-in ended at once, and draws nothing after this.
        await prompting.value
        progress.clear()
        switch model.state {
        case .signedIn(let user):
            if session.container.configuration.storageFolder == nil, !common.isLive {
                session.printNote(session.texts(.signInNotSaved))
            }
            return try session.printResult(.signedIn(user.login.rawValue), user.json)
        case .failed(let message), .signedOut(let message): return session.report(message)
        case .idle, .askingForCode, .waitingForCode, .waitingForBrowser, .signingIn:
            session.printNote(session.texts(.signInStopped))
            return session.interruption ?? .failure
        }
    }
}

/// `browse logout`
struct LogoutCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command(
        "logout",
        "Sign out, and delete the sign-in from the storage folder."
    )

    @OptionGroup var common: CommonOptions

    func validate() throws { try common.requireServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let manager = session.container.gitHubSession()
        // The user is unknown without a network.
        let current = try? await session.container.gitHubTokenRepository().current()
        // A token of the environment is no sign-in, and a saved one stays.
        let stored = current != nil && common.tokenEnv == nil
        do throws(BrowseError) {
            try await manager.signOut()
        } catch {
            return session.report(session.container.texts().about(.gitHub).message(for: error))
        }
        let phrase: Phrase = common.tokenEnv != nil ? .tokenNotSaved : stored ? .signedOut : .notSignedIn
        return try session.printResult(phrase, .object(["signed_out": .flag(stored)]))
    }
}

/// `browse whoami`
struct WhoamiCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("whoami", "Show the account you're signed in to.")

    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        // Doesn't wait for the stars.
        for await current in session.container.gitHubSession().sessions {
            switch current {
            case .restoring, .signingIn: continue
            case .identified(let stored), .ready(let stored):
                // The account can have been renamed since the sign-in stored it.
                var (user, provenance) = (stored, Provenance.saved)
                do throws(BrowseError) {
                    let users = session.container.userRepository()
                    let own = try await LoadOptions.current.load { () throws(BrowseError) in
                        try await users.ownProfile().user
                    }
                    (user, provenance) = (own.value, own.provenance)
                } catch {
                    switch error {
                    case .unauthorized, .cancelled: return session.report(error)
                    default: break
                    }
                }
                session.printAge(of: provenance)
                let fields = [user.login.rawValue, String(user.id.rawValue)]
                let line = session.output.isTerminal ? Line(user.login.rawValue.sanitized) : Line(fields: fields)
                let json = user.json.adding(session.source(of: provenance))
                try session.output.print([session.isJSON ? Line(json) : line])
                return .success
            case .unidentified(let error): return session.report(error)
            case .signedOut(let reason): return session.reportSignOut(reason)
            }
        }
        return session.stoppedEarly
    }
}

extension Session {
    /// Prints a code on the error output, so it's visible if the output is redirected.
    fileprivate func prompt(_ prompt: SignInViewModel<GitHub.User>.DevicePrompt) {
        guard !isJSON else {
            let fields: [String: JSON] = [
                "user_code": .text(prompt.userCode), "verification_uri": .text(prompt.page.rawValue),
            ]
            try? errors.print([Line(.object(fields))])
            return
        }
        try? errors.print([Line(prompt.text.sanitized, .bold)])
    }

    /// Writes a result as text or JSON.
    func printResult(_ phrase: Phrase, _ json: JSON) throws(Sink.Failure) -> Outcome {
        try output.print([isJSON ? Line(json) : Line(texts(phrase).sanitized)])
        return .success
    }
}

extension GitHub.User {
    /// The account for programs.
    fileprivate var json: JSON {
        .object(["login": .text(login.rawValue), "id": .number(id.rawValue), "web_page": JSON(webPage?.rawValue)])
    }
}
