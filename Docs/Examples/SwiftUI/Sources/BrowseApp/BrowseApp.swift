import AppIntents
import BrowseKit
import BrowseScreens
import Foundation
import SwiftUI

/// The app: one container, created at launch.
@main
struct BrowseApp: App {
    #if os(macOS)
    @NSApplicationDelegateAdaptor private var delegate: AppDelegate
    #endif
    private let container = Container(Configuration().with { $0.gitHub.app = gitHubApp })

    var body: some Scene {
        WindowGroup {
            BrowseTabs(container: container)
        }
        .commands { BrowseCommands(container: container) }
    }

    init() {
        let container = container
        AppDependencyManager.shared.add(dependency: container)
    }
}

extension BrowseApp {
    /// The GitHub app for signing in, from `GitHubClientID` and `GitHubRedirect` in the Info.plist.
    ///
    /// An executable that `swift run` starts has no Info.plist. For it, `BROWSE_CLIENT_ID` in the environment is enough to sign
    /// in by code.
    private static var gitHubApp: OAuthApp? {
        let listed = Bundle.main.object(forInfoDictionaryKey: "GitHubClientID") as? String
        guard let clientID = listed ?? ProcessInfo.processInfo.environment["BROWSE_CLIENT_ID"] else { return nil }
        let redirect = Bundle.main.object(forInfoDictionaryKey: "GitHubRedirect") as? String
        return OAuthApp.gitHub(clientID: clientID, redirect: redirect.flatMap(URL.init(string:)))
    }
}
