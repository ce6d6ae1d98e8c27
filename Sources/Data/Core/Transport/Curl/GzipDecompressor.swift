#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Foundation

/// Decompresses a body in gzip's format (RFC 1952), which can have several members.
///
/// libcurl would decompress too, but it reports a truncated body as complete.
final class GzipDecompressor {
    /// The number of bytes decompressed at once.
    private static let step = 32 << 10

    /// zlib's state, which contains its own address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether a member has begun and not ended, so that bytes are missing; `nil` before the first
    /// one.
    private(set) var isTruncated: Bool?
    private var compressedBytes = 0

    /// Creates a decompressor; `nil` if there isn't enough memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard browse_gunzip_init(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses the next part, and appends it to a body of at most `limit` bytes.
    func append(_ part: UnsafeRawBufferPointer, to body: inout Data, limit: Int) throws(CurlProblem) {
        // Endless empty members, and endless headers, decompress to nothing.
        compressedBytes += part.count
        guard compressedBytes <= limit else { throw .tooLarge(limit: limit) }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: part.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: part.count)
        var isOutputFull = false
        // zlib can hold output after it has read all input.
        while stream.pointee.avail_in > 0 || isOutputFull {
            // Like gunzip, this ignores padding behind the last member.
            if isTruncated == false, stream.pointee.next_in.pointee != 0x1F { return }
            isTruncated = true
            var code = Z_OK
            var isWithinLimit = true
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.step) { space in
                stream.pointee.next_out = space.baseAddress
                stream.pointee.avail_out = UInt32(Self.step)
                code = inflate(stream, Z_NO_FLUSH)
                let count = Self.step - Int(stream.pointee.avail_out)
                isWithinLimit = count <= limit - body.count
                if isWithinLimit { body.append(contentsOf: space[..<count]) }
            }
            guard isWithinLimit else { throw .tooLarge(limit: limit) }
            switch code {
            case Z_STREAM_END:
                isTruncated = false
                isOutputFull = false
                inflateReset(stream)
            case Z_OK:
                isOutputFull = stream.pointee.avail_out == 0
            case Z_BUF_ERROR where stream.pointee.avail_in == 0:
                // There was no more output.
                isOutputFull = false
            default:
                throw .damagedBody
            }
        }
    }
}
#endif
