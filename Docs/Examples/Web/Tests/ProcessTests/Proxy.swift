import Foundation
import TestServers

/// nginx with the site's configuration, and a certificate made for the run, on ports of its own.
final class Proxy: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description = "nginx or openssl isn't installed: apt-get install -y nginx-light openssl"
    }

    /// The site's public address.
    let url: String
    private let folder: URL
    private let process: SpawnedProcess

    /// Starts nginx in front of two processes.
    ///
    /// - Parameters:
    ///   - port: The port for https.
    ///   - processes: The ports of the processes.
    ///   - hasAffinity: Whether all requests of a visitor go to one process; otherwise, they take turns.
    init(_ port: UInt16, _ processes: [UInt16], hasAffinity: Bool = true) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        url = "https://localhost:\(port)"
        let path = folder.path(percentEncoded: false)
        let programs = ["/usr/sbin/nginx", "/usr/bin/openssl"]
        guard programs.allSatisfy(FileManager.default.isExecutableFile(atPath:)) else { throw Missing() }
        let certificate = try SpawnedProcess(
            programs[1],
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(path)/site.key",
                "-out", "\(path)/site.crt",
            ],
            mergesErrors: true
        )
        _ = await certificate.finished()
        // This file is in Tests/ProcessTests.
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        var site = try String(contentsOf: package.appending(path: "Deploy/nginx.conf"), encoding: .utf8)
        for (old, new) in [
            ("listen 80;", "listen 127.0.0.1:\(try freePort());"), ("listen 443 ssl", "listen 127.0.0.1:\(port) ssl"),
            ("example.org", "localhost"), ("/etc/nginx/tls", path), ("/var/log/nginx", path),
            ("127.0.0.1:8081", "127.0.0.1:\(processes[0])"), ("127.0.0.1:8082", "127.0.0.1:\(processes[1])"),
        ] {
            site = site.replacing(old, with: new)
        }
        if !hasAffinity { site = site.replacing("hash $browse_web_visitor consistent;", with: "") }
        try Data(site.utf8).write(to: folder.appending(path: "site.conf"))
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let main = """
            daemon off;
            worker_processes 2;
            pid \(path)/nginx.pid;
            error_log stderr notice;
            error_log \(path)/error.log error;
            events { worker_connections 4096; }
            http {
                access_log \(path)/access.log;
                \(temporary.joined(separator: "\n    "))
                include \(path)/site.conf;
            }
            """
        try Data(main.utf8).write(to: folder.appending(path: "nginx.conf"))
        process = try SpawnedProcess(
            programs[0],
            ["-p", path, "-e", "\(path)/error.log", "-c", "\(path)/nginx.conf"],
            mergesErrors: true
        )
        // Its ports are open then.
        try await process.line { $0.contains("start worker process ") }
    }

    deinit {
        // Its workers end with it, unlike after SIGKILL.
        process.terminate()
        _ = try? FileManager.default.removeItem(at: folder)
    }

    /// Ends nginx, and waits for its end.
    func stop() async {
        process.terminate()
        await process.ended()
    }

    /// The lines of the log.
    var requests: [String] {
        get throws {
            try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8).split(separator: "\n").map {
                String($0)
            }
        }
    }

    /// The log of errors.
    var errors: String {
        get throws { try String(contentsOf: folder.appending(path: "error.log"), encoding: .utf8) }
    }

    /// The lines of the log for failed requests, besides images, which tests can't load from other hosts.
    var failures: [String] {
        get throws {
            try requests.filter { line in
                !line.contains("GET /images/")
                    && (line.split(separator: "\" ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0) >= 400
            }
        }
    }
}

/// A visitor who uses the site through the proxy with curl, and has cookies.
struct ProxyVisitor: Sendable {
    struct Failed: Error {
        let command: [String]
        let output: String
    }

    let url: String
    private let cookies = FileManager.default.temporaryDirectory.appending(path: "cookies-\(UUID().uuidString)")

    init(_ proxy: Proxy) { url = proxy.url }

    /// Removes the cookies.
    func leave() { try? FileManager.default.removeItem(at: cookies) }

    /// Returns a page, or the response to a form.
    func load(_ path: String, form: [String: String] = [:]) async throws -> String {
        let file = cookies.path(percentEncoded: false)
        var arguments = ["-sk", "--fail", "--max-time", "120", "-b", file, "-c", file, url + path]
        for (name, value) in form { arguments += ["--data-urlencode", "\(name)=\(value)"] }
        // The status of curl isn't known, so the end of the page is required.
        let output = await (try SpawnedProcess("/usr/bin/curl", arguments)).finished().joined(separator: "\n")
        guard output.hasSuffix("</html>") else { throw Failed(command: arguments, output: output) }
        return output
    }

    /// Presses a button of a page without scripts.
    func press(_ action: String, on page: String) async throws -> String {
        func field(_ name: String) -> String {
            let parts = page.components(separatedBy: "name=\"\(name)\" value=\"")
            return parts.count > 1 ? String(parts[1].prefix { $0 != "\"" }) : ""
        }
        let form = ["csrf": field("csrf"), "page": field("page"), "address": field("address"), "do": action]
        return try await load("/actions", form: form)
    }
}
