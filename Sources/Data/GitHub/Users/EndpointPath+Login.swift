public import BrowseData
import BrowseDomain
public import BrowseGitHubDomain

extension EndpointPath.StringInterpolation {
    /// Appends a login as one segment; an invalid login makes the path invalid (`GitHub.Login.isValid`).
    public mutating func appendInterpolation(_ login: GitHub.Login) {
        appendInterpolation(login.rawValue, isValid: login.isValid)
    }
}
