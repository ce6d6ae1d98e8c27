@_exported public import BrowseCoreMocks
