import BrowseKit
import Foundation
import Hummingbird
import Logging
import NIOCore
import RedisStores
import ServiceLifecycle
import UnixSignals

@main
enum WebServerMain {
    /// The longest time for responses in flight after a signal to end.
    private static let shutdownTime = Duration.seconds(10)

    static func main() async {
        do {
            let settings = try Settings(
                CommandLine.arguments.dropFirst(),
                environment: ProcessInfo.processInfo.environment
            )
            try await run(settings)
        } catch let error as Settings.Problem {
            fail(error.description, code: 2)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            fail("The port is in use. Choose another one with WEB_ADDRESS or PORT.", code: 1)
        } catch {
            fail("\(error)", code: 1)
        }
    }

    private static func run(_ settings: Settings) async throws {
        var logger = Logger(label: "browse-web") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = settings.logLevel
        for problem in try await settings.redis?.check() ?? [] { logger.warning("\(problem)") }
        let site = Site(settings.site)
        let address = BindAddress.hostname(settings.address.host, port: settings.address.port)
        let application = site.application(address: address, logger: logger) { port in
            guard let origin = URL(string: "http://127.0.0.1:\(port)") else { return }
            site.start(at: origin)
            say("\(origin)")
        }
        var group = ServiceGroupConfiguration(
            services: [application],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = shutdownTime
        group.maximumCancellationDuration = .seconds(2)
        try await ServiceGroup(configuration: group).run()
    }

    /// Prints a line at once; `print` has a buffer when its output is a file or a pipe.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }
}
