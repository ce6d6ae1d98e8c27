// Declarations of Apple's Darwin module: errors. From the manual page intro(2) of macOS.

public var errno: Int32 {
    get { fatalError() }
    set { fatalError() }
}

public var EPERM: Int32 { 1 }
public var ENOENT: Int32 { 2 }
public var EINTR: Int32 { 4 }
public var EIO: Int32 { 5 }
public var EBADF: Int32 { 9 }
public var ENOMEM: Int32 { 12 }
public var EACCES: Int32 { 13 }
public var EFAULT: Int32 { 14 }
public var EEXIST: Int32 { 17 }
public var ENOTDIR: Int32 { 20 }
public var EISDIR: Int32 { 21 }
public var EINVAL: Int32 { 22 }
public var ENFILE: Int32 { 23 }
public var EMFILE: Int32 { 24 }
public var EFBIG: Int32 { 27 }
public var ENOSPC: Int32 { 28 }
public var EROFS: Int32 { 30 }
public var EMLINK: Int32 { 31 }
public var EAGAIN: Int32 { 35 }
public var EWOULDBLOCK: Int32 { 35 }
public var ENOLCK: Int32 { 77 }
public var ENOSYS: Int32 { 78 }
public var ENOTSOCK: Int32 { 38 }
public var ENOTSUP: Int32 { 45 }
public var EADDRINUSE: Int32 { 48 }
public var ENOBUFS: Int32 { 55 }
public var ELOOP: Int32 { 62 }
public var ENOTEMPTY: Int32 { 66 }
public var EDQUOT: Int32 { 69 }
public var EOPNOTSUPP: Int32 { 102 }
