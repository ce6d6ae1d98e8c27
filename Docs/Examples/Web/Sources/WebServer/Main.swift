import BrowseKit
import Foundation
import Hummingbird
import Logging
import WebApp

/// Starts the site: `browse-web [--live] [--port PORT]`.
@main
enum WebServerMain {
    static func main() async throws {
        var logger = Logger(label: "browse-web")
        logger.logLevel = .notice
        let arguments = Arguments(CommandLine.arguments.dropFirst(), environment: ProcessInfo.processInfo.environment)
        let site = try await Site()
        let application = Application(
            router: site.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: arguments.port)),
            onServerRunning: { channel in
                let origin = "http://127.0.0.1:\(channel.localAddress?.port ?? arguments.port)"
                if let url = URL(string: origin) { site.start(at: url) }
                print(origin)
            },
            logger: logger
        )
        try await application.runService()
    }
}

/// The arguments of the command.
struct Arguments {
    var isLive = false
    var port = 8080

    init(_ arguments: some Collection<String>, environment: [String: String]) {
        if let text = environment["PORT"], let number = Int(text) { port = number }
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--live": isLive = true
            case "--port": port = rest.popFirst().flatMap { Int($0) } ?? port
            default: break
            }
        }
    }
}
