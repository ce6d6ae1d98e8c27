import BrowseDomain
import BrowseKit
import BrowsePresentation

/// What the commands of one run share: the SDK, the language, and where to write.
@MainActor
struct Session {
    let container: Container
    let words: Words
    let output: Sink
    let errors: Sink
    /// Whether programs read what is written.
    let isJSON: Bool
    /// Whether the terminal knows the sequence that erases a line.
    let canErase: Bool
    /// Whether the terminal knows every color, and not 256 only.
    let isTrueColor: Bool
    /// What makes pixels of pictures.
    let decoder: PictureDecoder
    /// Whether only what was seen before is looked at, since the person wants that first.
    var looksAtKept: Bool = false
    let stopSignal: @Sendable () -> Int32?

    /// The login that a person meant; `nil` when it is none, which they are told.
    func login(_ argument: NameArgument) -> GitHub.Login? {
        login(argument.name, isGitHubs: argument.login)
    }

    /// The login that a person meant; `nil` when it is none, which they are told.
    ///
    /// - Parameters:
    ///   - name: What they wrote.
    ///   - isGitHubs: Whether it is taken as GitHub writes it, without a check.
    func login(_ name: String, isGitHubs: Bool) -> GitHub.Login? {
        if isGitHubs {
            guard name.isEmpty else { return GitHub.Login(name) }
            complain(words(.loginEmpty))
            return nil
        }
        let search = container.followerSearchViewModel()
        search.query = name
        guard case .followList(let list) = search.submit() else {
            complain(search.state.hint ?? "")
            return nil
        }
        return list.owner
    }

    /// Says on the error output what the SDK has to say, and how the run ends.
    func report(_ message: Message, hint: Phrase? = nil) -> Outcome {
        // The title is a few words, the text a sentence that may say the same.
        let hint = hint ?? (message.kind == .offline && isKeptNowhere ? .keptNowhere : nil)
        complain("\(message.title): \(message.text)" + (hint.map { " (\(words($0)))" } ?? ""))
        return Outcome(message.kind)
    }

    /// Says why a repository could not answer.
    ///
    /// - Parameter service: Which service could not.
    func report(_ error: BrowseError, of service: Texts.Service = .gitHub) -> Outcome {
        if error == .cancelled { return stoppedEarly }
        let message = container.texts().about(service).message(for: error)
        return report(message, hint: service == .gitHub ? hint(for: message) : nil)
    }

    /// One line on the error output about something that is no failure.
    func note(_ text: String) {
        try? errors.print([Line("browse: " + text, .dim)])
    }

    /// One line on the error output. That it cannot be written is no reason to end: the exit code tells, too.
    func complain(_ text: String) {
        guard !isJSON else {
            try? errors.print([Line(.object(["error": .text(text)]))])
            return
        }
        try? errors.print([Line("browse: ", .alarm).adding(text)])
    }

    /// What helps against a failure, and that the SDK cannot know: it is a matter of this tool's options.
    func hint(for message: Message) -> Phrase? {
        guard container.configuration.gitHubToken == nil, container.session().current.user == nil else { return nil }
        return switch message.kind {
        case .unauthorized, .forbidden: .useToken
        case .rateLimited: .tokenRaisesLimit
        default: nil
        }
    }

    /// Whether only what was seen before is wanted, where nothing is ever kept.
    private var isKeptNowhere: Bool {
        container.configuration.loadPolicy == .offline && container.configuration.cacheByteLimit == 0
    }

    /// How a run ends in which nothing was loaded, since it was stopped.
    var stoppedEarly: Outcome {
        note(words(.stoppedEarly))
        return interruption ?? .failure
    }

    /// How a run ends that was told to stop; `nil` when it was not.
    var interruption: Outcome? {
        guard Task.isCancelled else { return nil }
        // Only a signal cancels the tool's task; 2 is Ctrl-C's.
        return .interrupted(stopSignal() ?? 2)
    }
}
