// Declarations of Apple's Darwin module: files. From the manual pages of macOS, section 2, and sys/stat.h.

@_exported public import DarwinTypes

@discardableResult public func stat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 {
    fatalError()
}
@discardableResult public func lstat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 {
    fatalError()
}
@discardableResult public func fstat(_ file: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult public func flock(_ file: Int32, _ operation: Int32) -> Int32 { fatalError() }

// These are Swift functions in Darwin too, so their results can't be discarded silently.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func openat(_ file: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func openat(_ file: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
    fatalError()
}
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { fatalError() }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ file: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 { fatalError() }

@discardableResult public func close(_ file: Int32) -> Int32 { fatalError() }
@discardableResult public func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int) -> Int {
    fatalError()
}
@discardableResult public func write(_ file: Int32, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int { fatalError() }
@discardableResult public func pread(_ file: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t)
    -> Int
{ fatalError() }
@discardableResult public func pwrite(_ file: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int {
    fatalError()
}
@discardableResult public func lseek(_ file: Int32, _ offset: off_t, _ from: Int32) -> off_t { fatalError() }
@discardableResult public func fsync(_ file: Int32) -> Int32 { fatalError() }
@discardableResult public func ftruncate(_ file: Int32, _ length: off_t) -> Int32 { fatalError() }
@discardableResult public func truncate(_ path: UnsafePointer<CChar>!, _ length: off_t) -> Int32 { fatalError() }
@discardableResult public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 {
    fatalError()
}
@discardableResult public func renameat(
    _ oldFolder: Int32,
    _ old: UnsafePointer<CChar>!,
    _ newFolder: Int32,
    _ new: UnsafePointer<CChar>!
) -> Int32 { fatalError() }
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { fatalError() }
@discardableResult public func unlinkat(_ folder: Int32, _ path: UnsafePointer<CChar>!, _ flags: Int32) -> Int32 {
    fatalError()
}
@discardableResult public func rmdir(_ path: UnsafePointer<CChar>!) -> Int32 { fatalError() }
@discardableResult public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult public func link(_ path: UnsafePointer<CChar>!, _ other: UnsafePointer<CChar>!) -> Int32 {
    fatalError()
}
@discardableResult public func symlink(_ path: UnsafePointer<CChar>!, _ other: UnsafePointer<CChar>!) -> Int32 {
    fatalError()
}
@discardableResult public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { fatalError() }
@discardableResult public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult public func chown(_ path: UnsafePointer<CChar>!, _ owner: uid_t, _ group: gid_t) -> Int32 {
    fatalError()
}
@discardableResult public func umask(_ mode: mode_t) -> mode_t { fatalError() }
@discardableResult public func utimensat(
    _ folder: Int32,
    _ path: UnsafePointer<CChar>!,
    _ times: UnsafePointer<timespec>!,
    _ flags: Int32
) -> Int32 { fatalError() }
@discardableResult public func futimens(_ file: Int32, _ times: UnsafePointer<timespec>!) -> Int32 { fatalError() }

public var O_RDONLY: Int32 { 0x0000 }
public var O_WRONLY: Int32 { 0x0001 }
public var O_RDWR: Int32 { 0x0002 }
public var O_NONBLOCK: Int32 { 0x0004 }
public var O_APPEND: Int32 { 0x0008 }
public var O_NOFOLLOW: Int32 { 0x0100 }
public var O_CREAT: Int32 { 0x0200 }
public var O_TRUNC: Int32 { 0x0400 }
public var O_EXCL: Int32 { 0x0800 }
public var O_DIRECTORY: Int32 { 0x10_0000 }
public var O_CLOEXEC: Int32 { 0x100_0000 }
public var F_OK: Int32 { 0 }
public var F_GETFD: Int32 { 1 }
public var F_SETFD: Int32 { 2 }
public var F_GETFL: Int32 { 3 }
public var F_SETFL: Int32 { 4 }
public var F_FULLFSYNC: Int32 { 51 }
public var F_BARRIERFSYNC: Int32 { 85 }
public var FD_CLOEXEC: Int32 { 1 }
public var LOCK_SH: Int32 { 1 }
public var LOCK_EX: Int32 { 2 }
public var LOCK_NB: Int32 { 4 }
public var LOCK_UN: Int32 { 8 }
public var AT_FDCWD: Int32 { -2 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
