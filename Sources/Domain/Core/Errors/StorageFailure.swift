/// A failure to store a value or to read stored data.
public struct StorageFailure: Error, Hashable, Sendable {
    /// The reason for the failure.
    public enum Reason: Error, Hashable, Sendable {
        /// The storage can't be created, opened, or written.
        case notWritable
        /// The disk or the quota is full.
        case full
        /// A newer version of the SDK wrote the file; it's unchanged.
        case newerVersion(found: Int, supported: Int)
        /// The stored data is damaged, or has an unknown format.
        case damaged
        /// The storage was in use for too long, by another process or in this one.
        case busy
        /// The file was refused: others can access it, or it isn't a regular file of the current
        /// user.
        case exposed
        /// The folder was refused because other users can write to it; ``StorageFailure/file`` is
        /// its name.
        case exposedFolder
        /// The device is locked, or hasn't been unlocked since it started.
        ///
        /// Nothing can be read yet, and no data is lost.
        case locked
        /// A store on another machine can't be reached or doesn't respond; ``StorageFailure/file``
        /// is its name.
        case unavailable
        /// The value can't be encoded; nothing was written.
        case notEncodable
        /// Another reason; see ``StorageFailure/code``.
        case other
    }

    /// The reason for the failure.
    public var reason: Reason
    /// The name of the file, folder, Keychain item, or store; never a file path.
    public var file: String
    /// SQLite's extended result code (sqlite.org/rescode.html), or the Keychain's status
    /// (`SecBase.h`).
    public var code: Int?

    /// Creates a description of a failure.
    public init(reason: Reason, file: String, code: Int? = nil) {
        self.reason = reason
        self.file = file
        self.code = code
    }
}
