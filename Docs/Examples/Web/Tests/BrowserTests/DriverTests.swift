import Foundation
import TestServers
import Testing
import WebDriver

extension BrowserSuite {
    struct DriverTests {
        @Test("A missing driver fails with the command that installs it")
        func missingDriver() async throws {
            await #expect(
                throws: WebDriverError.missing(
                    program: "no-such-driver",
                    command: "apt-get install -y chromium chromium-driver fonts-noto-cjk"
                )
            ) { try await Driver.start(program: "no-such-driver") }
        }

        @Test("A driver that ends at once fails with its output")
        func failingDriver() async throws {
            let error = await #expect(throws: WebDriverError.self) { try await Driver.start(program: "false") }
            guard case .driverEnded = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }

        @Test("A driver whose port is taken by another process starts again")
        func takenPort() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "driver-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appending(path: "driver")
            // Ends at the first start, like chromedriver.
            let script = """
                #!/bin/bash
                if mkdir "$0.started"; then echo "IPv4 port not available. Exiting..."; exit 1; fi
                echo "Driver was started successfully on port 1."
                exec sleep 1000
                """
            let path = program.path(percentEncoded: false)
            // Written by another process: a file can't be executed while a process that others start has it open for writing.
            let writer = try SpawnedProcess(
                "/bin/sh",
                ["-c", #"printf %s "$2" > "$1"; chmod 755 "$1""#, "sh", path, script]
            )
            await writer.ended()
            let driver = try await Driver.start(program: path)
            await driver.stop()
        }

        @Test("A condition that doesn't hold in time fails with what the page shows")
        func timeout() async throws {
            let driver = try await Driver.start()
            try await driver.withBrowser { browser in
                try await browser.open(#require(URL(string: "data:text/html,<p>Nothing")))
                let error = await #expect(throws: WebDriverError.self) {
                    try await browser.wait(until: "something else", longestWait: .milliseconds(1)) { false }
                }
                guard case .timedOut(let condition, let page) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(condition == "something else")
                #expect(page.hasSuffix("Nothing"))
            }
            await driver.stop()
        }

        @Test("Stopping a driver ends its browsers")
        func stop() async throws {
            let driver = try await Driver.start()
            try await driver.withBrowser { browser in
                let version = try await browser.execute("return navigator.userAgent")
                #expect(version.string?.contains("Chrome") == true)
                // Returns once no process of the group has the driver's output open.
                await driver.stop()
                await #expect(throws: WebDriverError.self) { try await browser.title }
            }
        }
    }
}
