@_exported public import BrowseCore
@_exported public import BrowseGitHubDomain
@_exported public import BrowseGitHubPresentation
