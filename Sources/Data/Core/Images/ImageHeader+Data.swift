import Foundation

extension ImageHeader {
    /// Reads the header of an image file, and checks that the file is complete.
    init(_ data: Data) throws(Problem) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(Problem) in try Self(ImageBytes(bytes: bytes)) }
        }
        self = try result.get()
    }
}
