public import Foundation

/// Returns the files of cached responses or images below a folder.
///
/// They have digests as names, and so do their folders.
public func cachedFiles(in folder: URL) -> [URL] {
    let paths = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?.compactMap { "\($0)" } ?? []
    return paths.filter { $0.suffix(33).wholeMatch(of: /[0-9a-f]{16}\/[0-9a-f]{16}/) != nil }.sorted()
        .map { folder.appending(path: $0, directoryHint: .notDirectory) }
}
