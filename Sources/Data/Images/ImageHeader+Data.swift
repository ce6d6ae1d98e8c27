import Foundation

extension ImageHeader {
    /// Reads a file to see what it is, and whether it is whole.
    init(_ data: Data) throws(Problem) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(Problem) in try Self(ImageBytes(bytes: bytes)) }
        }
        self = try result.get()
    }
}
