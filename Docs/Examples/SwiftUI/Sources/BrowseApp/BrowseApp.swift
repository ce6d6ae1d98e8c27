import BrowseData
import BrowseKit
import BrowseViews
import Foundation
import SwiftUI

/// The app: one container, created at launch.
@main
struct BrowseApp: App {
    private let container = Container(Configuration(gitHubApp: gitHubApp))

    var body: some Scene {
        WindowGroup {
            BrowseTabs(container: container)
        }
    }
}

extension BrowseApp {
    /// The GitHub app for signing in, from `GitHubClientID` and `GitHubRedirect` in the Info.plist.
    private static var gitHubApp: OAuthApp? {
        guard let clientID = Bundle.main.object(forInfoDictionaryKey: "GitHubClientID") as? String else { return nil }
        let redirect = Bundle.main.object(forInfoDictionaryKey: "GitHubRedirect") as? String
        return OAuthApp(clientID: clientID, redirect: redirect.flatMap(URL.init(string:)))
    }
}
