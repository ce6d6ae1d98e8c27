// Declarations of Apple's Darwin module: memory, processes, and threads. From the manual pages of macOS.

public func malloc(_ size: Int) -> UnsafeMutableRawPointer! { fatalError() }
public func calloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer! { fatalError() }
public func free(_ pointer: UnsafeMutableRawPointer!) { fatalError() }
public func strdup(_ text: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }
public func memchr(_ bytes: UnsafeRawPointer!, _ byte: Int32, _ count: Int) -> UnsafeMutableRawPointer! { fatalError() }
public func memcmp(_ left: UnsafeRawPointer!, _ right: UnsafeRawPointer!, _ count: Int) -> Int32 { fatalError() }
public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func setenv(
    _ name: UnsafePointer<CChar>!,
    _ value: UnsafePointer<CChar>!,
    _ overwrites: Int32
) -> Int32 { fatalError() }
public func pow(_ base: Double, _ exponent: Double) -> Double { fatalError() }
public func exit(_ status: Int32) -> Never { fatalError() }
public func _exit(_ status: Int32) -> Never { fatalError() }
@discardableResult public func geteuid() -> uid_t { fatalError() }
@discardableResult public func getuid() -> uid_t { fatalError() }
@discardableResult public func getpid() -> pid_t { fatalError() }
@discardableResult public func kill(_ process: pid_t, _ signal: Int32) -> Int32 { fatalError() }
@discardableResult public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { fatalError() }
@discardableResult public func pause() -> Int32 { fatalError() }
@discardableResult public func sched_yield() -> Int32 { fatalError() }
@discardableResult public func usleep(_ microseconds: UInt32) -> Int32 { fatalError() }
@discardableResult public func waitpid(_ process: pid_t, _ status: UnsafeMutablePointer<Int32>!, _ options: Int32)
    -> pid_t
{
    fatalError()
}

public typealias sig_t = @convention(c) (Int32) -> Void
@discardableResult public func signal(_ number: Int32, _ handler: (@convention(c) (Int32) -> Void)!) -> (
    @convention(c) (Int32) -> Void
)! { fatalError() }
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }
public var SIGKILL: Int32 { 9 }
public var SIGPIPE: Int32 { 13 }
public var SIGALRM: Int32 { 14 }
public var SIGXFSZ: Int32 { 25 }
public var SIGTERM: Int32 { 15 }
public var STDIN_FILENO: Int32 { 0 }
public var STDOUT_FILENO: Int32 { 1 }
public var STDERR_FILENO: Int32 { 2 }
public var EXIT_SUCCESS: Int32 { 0 }
public var EXIT_FAILURE: Int32 { 1 }

public typealias rlim_t = UInt64
public struct rlimit {
    public var rlim_cur: rlim_t
    public var rlim_max: rlim_t
    public init() { fatalError() }
    public init(rlim_cur: rlim_t, rlim_max: rlim_t) { fatalError() }
}
public var RLIMIT_FSIZE: Int32 { 1 }
public var RLIMIT_NOFILE: Int32 { 8 }
@discardableResult public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { fatalError() }
@discardableResult public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 {
    fatalError()
}
@discardableResult public func alarm(_ seconds: UInt32) -> UInt32 { fatalError() }
@discardableResult public func ualarm(_ delay: UInt32, _ interval: UInt32) -> UInt32 { fatalError() }

public struct FILE {}
// Mutable, and therefore unsafe in concurrent code, as in Darwin.
public nonisolated(unsafe) var __stdoutp: UnsafeMutablePointer<FILE>!
@discardableResult public func fflush(_ file: UnsafeMutablePointer<FILE>!) -> Int32 { fatalError() }
@discardableResult public func setvbuf(
    _ file: UnsafeMutablePointer<FILE>!,
    _ buffer: UnsafeMutablePointer<CChar>!,
    _ mode: Int32,
    _ size: Int
) -> Int32 { fatalError() }

#if os(macOS)
// tvOS and watchOS prohibit starting processes, and the sandbox of iOS does.
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
@discardableResult public func posix_spawn_file_actions_init(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_destroy(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!,
    _ file: Int32,
    _ other: Int32
) -> Int32 { fatalError() }
@discardableResult public func posix_spawn(
    _ process: UnsafeMutablePointer<pid_t>!,
    _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!,
    _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { fatalError() }
#endif

public struct _opaque_pthread_t {}
public struct _opaque_pthread_attr_t {
    public init() { fatalError() }
}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public typealias pthread_attr_t = _opaque_pthread_attr_t
public var PTHREAD_CREATE_DETACHED: Int32 { 2 }
public func pthread_self() -> pthread_t { fatalError() }
@discardableResult public func pthread_attr_init(_ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32 {
    fatalError()
}
@discardableResult public func pthread_attr_destroy(_ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32 {
    fatalError()
}
@discardableResult public func pthread_attr_setdetachstate(
    _ attributes: UnsafeMutablePointer<pthread_attr_t>,
    _ state: Int32
) -> Int32 { fatalError() }
@discardableResult public func pthread_attr_setstacksize(
    _ attributes: UnsafeMutablePointer<pthread_attr_t>,
    _ size: Int
) -> Int32 { fatalError() }
@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>,
    _ attributes: UnsafePointer<pthread_attr_t>?,
    _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
