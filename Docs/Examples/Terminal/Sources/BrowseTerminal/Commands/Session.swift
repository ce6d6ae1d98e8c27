import BrowseKit

/// The SDK, the texts, and the output of a run.
@MainActor
struct Session {
    let container: Container
    let texts: Texts
    var output: Sink
    var errors: Sink
    let isJSON: Bool
    /// Whether the terminal supports erasing a line.
    var canErase: Bool
    /// Whether the terminal supports 24-bit colors.
    let isTrueColor: Bool
    let decoder: ImageDecoder
    /// Whether this is the attempt with cached data for `--cached`.
    var isCacheOnly: Bool = false
    let stopSignal: @Sendable () -> Int32?

    /// Returns a valid login; prints an error and returns `nil` otherwise.
    func login(_ argument: NameArgument) -> GitHub.Login? {
        login(argument.name, isExact: argument.login)
    }

    /// Returns a valid login; prints an error and returns `nil` otherwise.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isExact: Whether to skip the rules for usernames.
    func login(_ name: String, isExact: Bool) -> GitHub.Login? {
        if isExact {
            guard name.isEmpty else { return GitHub.Login(name) }
            printError(texts(.loginEmpty))
            return nil
        }
        let search = container.followerSearchViewModel()
        search.query = name
        guard case .gitHub(.followList(let list)) = search.submit()?.screen else {
            printError(search.state.hint ?? "")
            return nil
        }
        return list.owner
    }

    /// Prints a message on the error output, and returns its outcome.
    func report(_ message: Message, hint: Phrase? = nil) -> Outcome {
        let hint = hint ?? (message.kind == .offline && hasNoCache ? .nothingCached : nil)
        let page = if case .open(let page) = message.action { " " + page.rawValue } else { "" }
        printError("\(message.title): \(message.text)" + page + (hint.map { " (\(texts($0)))" } ?? ""))
        return Outcome(message.kind)
    }

    /// Prints the message for an error of a service, and returns its outcome.
    func report(_ error: BrowseError, of service: Texts.Service = .gitHub) -> Outcome {
        if error == .cancelled { return stoppedEarly }
        let message = container.texts().about(service).message(for: error)
        return report(message, hint: service == .gitHub ? hint(for: message) : nil)
    }

    /// Prints why nobody is signed in, and returns the outcome.
    func reportSignOut(_ reason: SignOutReason) -> Outcome {
        let message = container.texts().about(.gitHub).message(for: reason)
        return report(message, hint: hint(for: message))
    }

    /// Prints a note on the error output.
    func printNote(_ text: String) {
        try? errors.print([Line("browse: " + text, .dim)])
    }

    /// Prints an error on the error output. A failure to write is ignored, since the exit code remains.
    func printError(_ text: String) {
        guard !isJSON else {
            try? errors.print([Line(JSON.error(text))])
            return
        }
        try? errors.print([Line("browse: ", .error).adding(text)])
    }

    /// Returns the option of this tool that helps against a failure.
    func hint(for message: Message) -> Phrase? {
        guard container.configuration.gitHub.token == nil, container.gitHubSession().current.user == nil else {
            return nil
        }
        return switch message.kind {
        case .unauthorized, .forbidden: .useToken
        case .rateLimited: .tokenRaisesLimit
        default: nil
        }
    }

    /// Whether only cached data is wanted, but nothing is cached.
    private var hasNoCache: Bool {
        container.configuration.loadPolicy == .offline && container.configuration.cacheByteLimit == 0
    }

    /// Prints that the run was stopped before it loaded anything, and returns its outcome.
    var stoppedEarly: Outcome {
        printNote(texts(.stoppedEarly))
        return interruption ?? .failure
    }

    /// The outcome of a canceled run; `nil` for others.
    var interruption: Outcome? {
        guard Task.isCancelled else { return nil }
        // Only a signal cancels the task; 2 is SIGINT.
        return .interrupted(stopSignal() ?? 2)
    }
}
