@_exported public import BrowseCoreTesting
