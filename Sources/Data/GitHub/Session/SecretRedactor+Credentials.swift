import BrowseData
import BrowseDomain
import BrowseGitHubDomain

extension SecretRedactor {
    func add(_ credentials: GitHub.Credentials) {
        if let refreshToken = credentials.refreshToken { add(refreshToken) }
        add(credentials.token)
    }
}
