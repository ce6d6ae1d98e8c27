#if canImport(Glibc) && canImport(CBrowseCurl)
/// The reason that a response is unusable.
enum CurlProblem: Error {
    /// The heads, or the body, compressed or decompressed, have more bytes.
    case tooLarge(limit: Int)
    /// A `Content-Length` that isn't one number.
    case ambiguousLength
    /// The body isn't in the format, or a checksum doesn't match.
    case damagedBody
}
#endif
