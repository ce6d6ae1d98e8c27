import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTerminal
import Synchronization

/// The output of a run in memory.
final class Memory: Sendable {
    private let contents = Mutex("")

    var text: String { contents.withLock { $0 } }

    func sink(isTerminal: Bool = false, columns: Int = 80) -> Sink {
        Sink(isTerminal: isTerminal, columns: { columns }) { [self] text throws(Sink.Failure) in
            contents.withLock { $0 += text }
        }
    }
}

/// The result of a run.
struct Run {
    var outcome: Outcome
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

/// Runs the tool as `main` does, on bundled data by default.
func browse(
    _ arguments: String...,
    onTerminal isTerminal: Bool = false,
    columns: Int = 80,
    environment: [String: String] = [:],
    makeContainer: @escaping ProcessContext.MakeContainer = ProcessContext.container,
    decoder: ImageDecoder = ImageDecoder { _ in nil }
) async -> Run {
    let (output, errors) = (Memory(), Memory())
    let context = ProcessContext(
        environment: environment,
        output: output.sink(isTerminal: isTerminal, columns: columns),
        errors: errors.sink(),
        makeContainer: makeContainer,
        decoder: decoder
    )
    let outcome = await Tool.run(arguments, in: context)
    return Run(outcome: outcome, output: output.text, errors: errors.text)
}

/// Creates containers with a test's follower repository.
func following(_ repository: some GitHub.FollowerRepository) -> ProcessContext.MakeContainer {
    { configuration, _ in
        let container = Container(configuration)
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        container.followerRepository.override { _ in repository }
        return container
    }
}

/// Creates containers with a test's user repository.
func profiling(_ repository: some GitHub.UserRepository) -> ProcessContext.MakeContainer {
    { configuration, _ in
        let container = Container(configuration)
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        container.userRepository.override { _ in repository }
        return container
    }
}

func user(_ id: Int64, _ login: String, page: String? = nil, kind: GitHub.User.Kind = .user) -> GitHub.User {
    GitHub.User(
        id: GitHub.User.ID(rawValue: id),
        login: GitHub.Login(login),
        webPage: page.map(WebAddress.init(rawValue:)),
        kind: kind
    )
}

/// Returns the control characters, except line breaks and tabs.
func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
        guard scalar != "\n", scalar != "\t" else { return false }
        return scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
    }
}
