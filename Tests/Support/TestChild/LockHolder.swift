#if os(macOS) || os(Linux)
import CBrowseSQLite
import Foundation

/// Takes a lock of the cache file, and holds it until the process is killed.
struct LockHolder {
    private let lock: String
    private let path: String

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2 else { throw TestChild.WrongArguments() }
        lock = arguments[0]
        path = URL(filePath: arguments[1]).appending(path: "responses.sqlite").path(percentEncoded: false)
    }

    func run() throws {
        switch lock {
        case "lock-file":
            let descriptor = open(path + "-lock", O_CREAT | O_RDWR, 0o600)
            guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw TestChild.WrongArguments() }
        case "read": try execute("BEGIN", "SELECT count(*) FROM responses")
        case "write": try execute("BEGIN IMMEDIATE")
        case "exclusive":
            try execute("PRAGMA locking_mode = EXCLUSIVE", "BEGIN IMMEDIATE", "DELETE FROM bodies WHERE id < 0")
        default: throw TestChild.WrongArguments()
        }
        TestChild.write("held")
        // Ends the process if a test fails to kill it.
        alarm(300)
        while true { pause() }
    }

    private func execute(_ statements: String...) throws {
        var connection: OpaquePointer?
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw TestChild.WrongArguments()
        }
        sqlite3_busy_timeout(connection, 10_000)
        for statement in statements {
            guard sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK else {
                throw TestChild.WrongArguments()
            }
        }
    }
}
#endif
