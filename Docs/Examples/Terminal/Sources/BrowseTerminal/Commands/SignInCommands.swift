package import ArgumentParser
import BrowseData
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse login`
package struct LoginCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "login",
        abstract: "Signs in: shows a code to type on GitHub's page, and waits for it. Ctrl-C stops.",
        discussion: """
            The sign-in is kept in the storage folder, in a file that only you can read. A server needs --client-id, the \
            id of an OAuth app with device flow. 
            """ + Browse.seeExitCodes
    )

    @OptionGroup package var common: CommonOptions

    package init() {}

    package func validate() throws { try common.needsServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.signInViewModel()
        let progress = Progress(session.errors, canErase: session.canErase)
        let prompting = Task {
            for await state in model.states(.every) {
                guard case .waitingForCode(let prompt) = state else { continue }
                session.prompt(prompt)
                progress.show(session.words(.waitingForCode))
                return
            }
        }
        await model.signInByCode()
        prompting.cancel()
        progress.clear()
        switch model.state {
        case .signedIn(let user):
            if session.container.configuration.storageFolder == nil, !common.isLive {
                session.note(session.words(.sessionForgottenSoon))
            }
            return try session.say(.signedIn(user.login.rawValue), user.json)
        case .failed(let message): return session.report(message)
        case .idle, .askingForCode, .waitingForCode, .waitingForBrowser, .signingIn:
            session.note(session.words(.signInStopped))
            return session.interruption ?? .failure
        }
    }
}

/// `browse logout`
package struct LogoutCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "logout",
        abstract: "Signs out, and deletes the sign-in from the storage folder.",
        discussion: Browse.seeExitCodes
    )

    @OptionGroup package var common: CommonOptions

    package init() {}

    package func validate() throws { try common.needsServer() }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let manager = session.container.session()
        // Who that is need not be known for it, and could not be learnt without a network.
        let stored = (try? await session.container.tokenRepository().current()) != nil
        do throws(BrowseError) {
            try await manager.signOut()
        } catch {
            return session.report(session.container.texts().message(for: error))
        }
        let phrase: Phrase = stored ? .signedOut : .nobodySignedIn
        return try session.say(phrase, .object(["signed_out": .flag(stored)]))
    }
}

/// `browse whoami`
package struct WhoamiCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Tells who is signed in.",
        discussion: "`browse profile` without a name tells more. " + Browse.seeExitCodes
    )

    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        // As soon as it is known; what is theirs need not be loaded for it.
        for await current in session.container.session().sessions {
            switch current {
            case .restoring, .signingIn: continue
            case .identified(let user), .ready(let user):
                let fields = [user.login.rawValue, String(user.id.rawValue)]
                let line = session.output.isTerminal ? Line(user.login.rawValue.harmless) : Line(fields: fields)
                try session.output.print([session.isJSON ? Line(user.json) : line])
                return .success
            case .unidentified(let error): return session.report(error)
            case .signedOut(let reason):
                let message = session.container.texts().message(for: reason)
                return session.report(message, hint: session.hint(for: message))
            }
        }
        return session.stoppedEarly
    }
}

extension Session {
    /// Shows a code on the error output, where also somebody sees it who sends the output elsewhere.
    fileprivate func prompt(_ prompt: SignInViewModel.DevicePrompt) {
        guard !isJSON else {
            let fields: [String: JSON] = [
                "user_code": .text(prompt.userCode), "verification_uri": .text(prompt.page.rawValue),
            ]
            try? errors.print([Line(.object(fields))])
            return
        }
        try? errors.print([Line(prompt.text.harmless, .bold)])
    }

    /// Says what was done, or gives it to programs.
    func say(_ phrase: Phrase, _ json: JSON) throws(Sink.Failure) -> Outcome {
        try output.print([isJSON ? Line(json) : Line(words(phrase).harmless)])
        return .success
    }
}

extension GitHub.User {
    /// Who somebody is, for programs.
    fileprivate var json: JSON {
        .object(["login": .text(login.rawValue), "id": .number(id.rawValue), "web_page": JSON(webPage?.rawValue)])
    }
}
