#if os(iOS)
import BrowseKit
import BrowseMocks
import BrowseScreens
import SwiftUI
import UIKit

#Preview("Followers in UIKit") {
    UINavigationController(
        rootViewController: FollowerCollectionController(
            list: .followers(of: GitHub.Login("octocat")),
            container: .offline(),
            open: { _ in }
        )
    )
}
#endif
