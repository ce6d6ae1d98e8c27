@_exported public import BrowseCore
// An app that signs in describes itself with `OAuthApp.gitHub(clientID:…)`.
@_exported public import BrowseGitHubData
@_exported public import BrowseGitHubDomain
@_exported public import BrowseGitHubPresentation
