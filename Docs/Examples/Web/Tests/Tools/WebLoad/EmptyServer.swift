import Foundation
import Hummingbird
import Logging

/// A server whose only handler does nothing, for comparison.
enum EmptyServer {
    static func run() async throws {
        let router = Router()
        router.get("/") { _, _ in "OK\n" }
        var logger = Logger(label: "empty-server")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)\n".utf8))
            },
            logger: logger
        )
        try await application.runService()
    }
}
