@_exported public import BrowseCore
@_exported public import BrowseAppStoreDomain
@_exported public import BrowseAppStorePresentation
