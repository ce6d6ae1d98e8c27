@_spi(Services) package import BrowseDomain
import Foundation

extension HTTPRequest {
    /// Returns the origin of a request that can be sent.
    ///
    /// - Throws: `.refused(.invalidParameter)` unless the URL has the scheme http or https and no user information, every field
    ///   name is a token, and every field value is a single line (RFC 9110, sections 5.1 and 5.5).
    package func validatedOrigin() throws(BrowseError) -> Origin {
        guard let origin = Origin(url), url.user() == nil, url.password() == nil, headers.areWellFormed else {
            throw .refused(.invalidParameter, info)
        }
        return origin
    }
}

extension HTTPHeaders {
    /// Whether every name is a token and every value is a single line (RFC 9110, sections 5.1 and 5.5).
    var areWellFormed: Bool {
        fields.allSatisfy { name, value in Self.isWellFormed(name, value) }
    }

    /// Whether a field can be sent.
    static func isWellFormed(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
            && value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }
    }

    /// Whether a field name can contain a byte (RFC 9110, section 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
