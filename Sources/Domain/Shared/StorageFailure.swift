/// Why something could not be stored, or what is stored could not be read.
public struct StorageFailure: Error, Hashable, Sendable {
    /// What stood in the way.
    public enum Reason: Error, Hashable, Sendable {
        /// The folder or the file cannot be made, opened or written.
        case notWritable
        /// The disk, or the quota, is full.
        case full
        /// The file was written by a newer version of the SDK; it is left alone.
        case newerVersion(found: Int, supported: Int)
        /// The file cannot be read, and could not be replaced.
        case damaged
        /// Another process keeps the file locked for longer than is waited.
        case busy
        /// Others could read or change the file, or it is not a plain file of its owner's; it is not used.
        case exposed
        /// Other users can write to the folder that ``StorageFailure/file`` names, so nothing in it is used.
        case exposedFolder
        /// The device hasn't been unlocked since it started, so that nothing can be read yet; nothing is lost.
        case locked
        /// The value to store can't be encoded; nothing was written.
        case notEncodable
        /// Something else; ``StorageFailure/code`` tells more.
        case other
    }

    /// What stood in the way.
    public var reason: Reason
    /// The name of the file, without its folder; with `.exposedFolder` that of the folder.
    public var file: String
    /// SQLite's extended result code (sqlite.org/rescode.html) or the Keychain's status (`SecBase.h`), where there is one.
    public var code: Int?

    /// Creates a description of a failure.
    public init(reason: Reason, file: String, code: Int? = nil) {
        self.reason = reason
        self.file = file
        self.code = code
    }
}
