import BrowseData
import BrowseKit
import Foundation
import Hummingbird
import Logging
import NIOCore
import WebApp
import WebSupport

/// Starts the site, and prints its address.
@main
enum WebServerMain {
    static func main() {
        Task {
            await start()
            exit(0)
        }
        // With an asynchronous `main`, Linux would end the main thread, and nobody could measure the main actor.
        RunLoop.main.run()
    }

    private static func start() async {
        do {
            let arguments = try Arguments(
                CommandLine.arguments.dropFirst(),
                environment: ProcessInfo.processInfo.environment
            )
            try await run(arguments)
        } catch let error as Arguments.Problem {
            fail("\(error.description)\n\(Arguments.usage)", code: 2)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            fail("The port is in use. Choose another one with --port or PORT.", code: 1)
        } catch {
            fail("\(error)", code: 1)
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        var logger = Logger(label: "browse-web")
        logger.logLevel = .notice
        var configuration = SiteConfiguration()
        configuration.signer = try Signer(environment: ProcessInfo.processInfo.environment)
        if let longestWait = arguments.longestWait { configuration.limits.loading = longestWait }
        if arguments.isLive {
            let live = Configuration.live(arguments)
            try live.validate()
            configuration.source = .live(live)
            let folder = Configuration.defaultStorageFolder.appending(path: "visitors", directoryHint: .isDirectory)
            configuration.stores =
                if let redis = try arguments.redisStores {
                    .redis(redis)
                } else {
                    .files(in: folder)
                }
        }
        let site = try await Site(configuration)
        let address = BindAddress.hostname("127.0.0.1", port: arguments.port)
        let application = try site.application(address: address, logger: logger) { port in
            guard let origin = URL(string: "http://127.0.0.1:\(port)") else { return }
            site.start(at: origin)
            // Not print, whose output waits in a buffer when it goes to a file or a pipe.
            FileHandle.standardOutput.write(Data("\(origin)\n".utf8))
        }
        try await application.runService()
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }
}

extension Configuration {
    /// The settings for the real services.
    fileprivate static func live(_ arguments: Arguments) -> Configuration {
        var configuration = Configuration(userAgent: "BrowseKit example website")
        configuration.requestConcurrency = 32
        if let gitHub = arguments.gitHub { (configuration.gitHub.url, configuration.gitHub.webURL) = (gitHub, gitHub) }
        configuration.gitHub.app = arguments.clientID.map {
            OAuthApp.gitHub(
                clientID: $0,
                clientSecret: arguments.clientSecret.flatMap { try? Secret($0) },
                redirect: URL(string: "http://127.0.0.1:\(arguments.port)/sign-in/callback")
            )
        }
        return configuration
    }
}
