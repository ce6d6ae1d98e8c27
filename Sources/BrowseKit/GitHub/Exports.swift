@_exported public import BrowseCore
// The settings use this type, and an app that signs in creates it.
@_exported public import struct BrowseGitHubData.OAuthApp
@_exported public import BrowseGitHubDomain
@_exported public import BrowseGitHubPresentation
