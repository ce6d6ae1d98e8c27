// One import is enough for an app: the container's API contains view models, entities, and use cases.
@_exported public import BrowseDomain
@_exported public import BrowsePresentation
