/// The result of recovering a storage file that couldn't be read completely.
public struct StorageRecovery: Hashable, Sendable {
    /// The new name of the damaged file, in the same folder.
    public let damagedFile: String
    /// The number of favorites that were recovered.
    public let savedCount: Int

    /// Creates a recovery report.
    public init(damagedFile: String, savedCount: Int) {
        self.damagedFile = damagedFile
        self.savedCount = savedCount
    }
}
