@_exported public import BrowseAppStore
@_exported public import BrowseGitHub
@_exported public import BrowseRickAndMorty
