// Types of Apple's Darwin module, from sys/stat.h and sys/fcntl.h. In C, a structure and a function can have the same name; in a
// Swift module they can't, so Darwin re-exports these.

public typealias mode_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias nlink_t = UInt16
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias pid_t = Int32
public typealias off_t = Int64
public typealias blkcnt_t = Int64
public typealias blksize_t = Int32
public typealias time_t = Int
public typealias ssize_t = Int

public struct timespec {
    public var tv_sec: time_t
    public var tv_nsec: Int
    public init() { fatalError() }
    public init(tv_sec: time_t, tv_nsec: Int) { fatalError() }
}

public struct stat {
    public var st_dev: dev_t
    public var st_mode: mode_t
    public var st_nlink: nlink_t
    public var st_ino: ino_t
    public var st_uid: uid_t
    public var st_gid: gid_t
    public var st_rdev: dev_t
    public var st_atimespec: timespec
    public var st_mtimespec: timespec
    public var st_ctimespec: timespec
    public var st_birthtimespec: timespec
    public var st_size: off_t
    public var st_blocks: blkcnt_t
    public var st_blksize: blksize_t
    public var st_flags: UInt32
    public var st_gen: UInt32
    public init() { fatalError() }
}

public struct flock {
    public var l_start: off_t
    public var l_len: off_t
    public var l_pid: pid_t
    public var l_type: Int16
    public var l_whence: Int16
    public init() { fatalError() }
    public init(l_start: off_t, l_len: off_t, l_pid: pid_t, l_type: Int16, l_whence: Int16) { fatalError() }
}
