// Apps need one import: view models, entities, and rules are part of the container's interface.
@_exported public import BrowseDomain
@_exported public import BrowsePresentation
