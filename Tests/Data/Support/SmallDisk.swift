#if os(Linux)
import Foundation
import TestSupport

/// A file system in memory, of a size that is soon full.
final class SmallDisk: Sendable {
    /// Requires the permission to mount.
    static let isAvailable =
        SmallDisk(bytes: 65_536).map {
            FileManager.default.fileExists(atPath: $0.path)
        } ?? false

    let folder = TemporaryFolder()
    private var path: String { folder.url.path(percentEncoded: false) }

    init?(bytes: Int) {
        try? FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else { return nil }
    }

    /// Forbids writing to files that are opened from now on.
    ///
    /// The disk itself can't be changed while a process that another test has just started still has
    /// its descriptors, so this mounts it again at the same place.
    func forbidWriting() -> Bool {
        mount(path, path, nil, UInt(MS_BIND), nil) == 0
            && mount(nil, path, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    deinit {
        while umount2(path, Int32(MNT_DETACH)) == 0 {}
    }
}
#endif
