// Declarations of Apple's _Testing_Foundation module, which is imported along with Testing and Foundation, from
// developer.apple.com/documentation/testing/attachable.

public import Foundation
@_exported public import Testing

extension Data: @retroactive Attachable {
    public func withUnsafeBytes<R>(
        for attachment: borrowing Attachment<Self>,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R { fatalError() }
}
