@_exported public import BrowseCore
@_exported public import BrowseRickAndMortyDomain
@_exported public import BrowseRickAndMortyPresentation
