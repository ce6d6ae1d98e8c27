// One import is enough for an app: the container's API contains view models, entities, and use
// cases.
@_exported public import BrowseDomain
@_exported public import BrowsePresentation

// The settings of a service with OAuth use this type, and an app that signs in creates it.
@_exported public import struct BrowseData.OAuthApp

// A repository protocol uses this type, so apps that implement the protocol need it.
#if canImport(FoundationEssentials)
@_exported public import struct FoundationEssentials.URL
#else
@_exported public import struct Foundation.URL
#endif
