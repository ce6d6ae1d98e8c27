import BrowseData
package import BrowseKit
package import BrowseMocks
import Foundation

/// The process's environment, streams, and SDK, which tests replace.
package struct ProcessContext: Sendable {
    /// Creates the SDK: on fixtures for a scenario, or on a server without one.
    package typealias MakeContainer = @Sendable (Configuration, Scenario?) -> Container

    package var environment: [String: String]
    package var output: Sink
    package var errors: Sink
    /// Returns the signal that stopped the run, if any.
    package var stopSignal: @Sendable () -> Int32?
    package var makeContainer: MakeContainer
    package var decoder: ImageDecoder

    package init(
        environment: [String: String],
        output: Sink,
        errors: Sink,
        stopSignal: @escaping @Sendable () -> Int32? = { nil },
        makeContainer: @escaping MakeContainer = ProcessContext.container,
        decoder: ImageDecoder? = nil
    ) {
        self.environment = environment
        self.output = output
        self.errors = errors
        self.stopSignal = stopSignal
        self.makeContainer = makeContainer
        self.decoder = decoder ?? .imageMagick(environment)
    }

    /// The context of this process.
    package static func process(stopSignal: @escaping @Sendable () -> Int32?) -> ProcessContext {
        // `write` then fails with an error, and a broken connection doesn't end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        // The next file or socket would get the number of a stream that the caller has closed, and with it the
        // output. This one can't be written, which the tool reports.
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
        return ProcessContext(
            environment: ProcessInfo.processInfo.environment,
            output: .descriptor(STDOUT_FILENO),
            errors: .descriptor(STDERR_FILENO),
            stopSignal: stopSignal
        )
    }

    /// Creates the tool's container.
    package static let container: MakeContainer = { configuration, scenario in
        // Without it, an offline container has the time zone of tests.
        if let scenario { return .offline(scenario, configuration: configuration.with { $0.timeZone = .current }) }
        let container = Container(configuration)
        if configuration.gitHub.token == nil {
            // A file on macOS too, so that --storage contains everything.
            container.gitHubTokenStore.override { container in
                let configuration = container.configuration
                let folder = configuration.storageFolder ?? Configuration.defaultStorageFolder
                return FileTokenStore(folder: folder, name: SessionName("GitHub", at: configuration.gitHub.url))
            }
        }
        return container
    }
}
