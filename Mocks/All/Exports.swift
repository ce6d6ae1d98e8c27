@_exported public import BrowseAppStoreMocks
@_exported public import BrowseGitHubMocks
@_exported public import BrowseRickAndMortyMocks
