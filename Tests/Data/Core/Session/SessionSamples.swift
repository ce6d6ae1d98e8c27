import BrowseData
import BrowseDomain
import Foundation

extension SessionName {
    /// The session of GitHub's own server.
    // Valid, because it's constant.
    // swift-format-ignore: NeverForceUnwrap
    static let gitHub = SessionName("GitHub", at: URL(string: "https://api.github.com")!)
}

/// Returns credentials whose refresh token is named after their token.
func credentials(
    _ text: String,
    in seconds: TimeInterval? = nil,
    user: (any SessionUser)? = nil
) throws -> Credentials {
    Credentials(
        token: try Secret(text),
        expiresAt: seconds.map { testNow.addingTimeInterval($0) },
        refreshToken: try Secret(text + "-refresh"),
        user: user
    )
}
