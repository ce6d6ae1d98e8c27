// One import is enough for an app: the container's API contains view models, entities, and use cases.
@_exported public import BrowseDomain
@_exported public import BrowsePresentation

// A repository protocol names it, and a conformance is a copy of the protocol's declarations.
#if canImport(FoundationEssentials)
@_exported public import struct FoundationEssentials.URL
#else
@_exported public import struct Foundation.URL
#endif
