import Foundation

/// Reads a file's date with Linux's names.
func fileStatusProbe(_ path: String) -> timespec {
    var status = stat()
    lstat(path, &status)
    return status.st_mtim
}
