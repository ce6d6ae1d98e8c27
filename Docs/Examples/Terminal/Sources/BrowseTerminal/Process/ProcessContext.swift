import BrowseData
package import BrowseKit
package import BrowseMocks
import Foundation

/// What a run touches outside of itself; tests bring their own.
package struct Surroundings: Sendable {
    /// Where an SDK comes from: one on fixtures for a scenario, or one that talks to a server.
    package typealias MakeContainer = @Sendable (Configuration, Scenario?) -> Container

    package var environment: [String: String]
    package var output: Sink
    package var errors: Sink
    /// The signal that stopped the run, if one did.
    package var stopSignal: @Sendable () -> Int32?
    package var makeContainer: MakeContainer
    /// What makes pixels of pictures.
    package var decoder: PictureDecoder

    package init(
        environment: [String: String],
        output: Sink,
        errors: Sink,
        stopSignal: @escaping @Sendable () -> Int32? = { nil },
        makeContainer: @escaping MakeContainer = Surroundings.container,
        decoder: PictureDecoder? = nil
    ) {
        self.environment = environment
        self.output = output
        self.errors = errors
        self.stopSignal = stopSignal
        self.makeContainer = makeContainer
        self.decoder = decoder ?? .imageMagick(environment)
    }

    /// The surroundings of this process.
    package static func process(stopSignal: @escaping @Sendable () -> Int32?) -> Surroundings {
        // A reader that goes away shows as an error of `write`, and a broken connection must not end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        return Surroundings(
            environment: ProcessInfo.processInfo.environment,
            output: .descriptor(STDOUT_FILENO),
            errors: .descriptor(STDERR_FILENO),
            stopSignal: stopSignal
        )
    }

    /// The SDK as the tool uses it.
    package static let container: MakeContainer = { configuration, scenario in
        if let scenario { return .offline(scenario, configuration: configuration) }
        let container = Container(configuration)
        if configuration.gitHubToken == nil {
            // A file on macOS too, so that --storage holds everything, whether or not the tool is signed.
            container.tokenStore.override { container in
                let configuration = container.configuration
                let folder = configuration.storageFolder ?? Configuration.defaultStorageFolder
                return FileTokenStore(folder: folder, server: configuration.gitHubURL)
            }
        }
        return container
    }
}
