import BrowseKit
import BrowseMocks
import CDesktop
import Desktop
import Foundation

func value(of option: String) -> String? {
    let arguments = CommandLine.arguments
    return arguments.firstIndex(of: option).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}

guard DesktopWindow.start() else {
    FileHandle.standardError.write(Data("There is no display.\n".utf8))
    exit(1)
}
let configuration = Configuration().with { configuration in
    // Without these, an offline container has the locale and time zone of tests.
    configuration.locale = value(of: "--language").map { Locale(identifier: $0) } ?? .current
    configuration.timeZone = .current
    if let id = ProcessInfo.processInfo.environment["GITHUB_CLIENT_ID"] {
        configuration.gitHub.app = .gitHub(clientID: id)
    }
}
let isLive = CommandLine.arguments.contains("--live")
let loop = g_main_loop_new(nil, 0)
let window = DesktopWindow(
    container: isLive ? Container(configuration) : .offline(configuration: configuration),
    list: .followers(of: GitHub.Login(value(of: "--user") ?? "octocat")),
    isDark: value(of: "--style").map { $0 == "dark" }
) {
    g_main_loop_quit(loop)
}
g_main_loop_run(loop)
