import BrowseKit
import BrowseTerminal
import Foundation
import Testing

// One after another: a program can't run while the file that it was written to is open in another new process.
@Suite("Images", .serialized, .timeLimit(.minutes(5)))
struct ImageTests {
    private static let ppm = Data("P6 # by hand\n2 3\n255\n".utf8)
    private static let bytes: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 20, 30, 40, 50, 60]
    private static let pixels = PixelImage(ppm: ppm + bytes)
    private static let decoder = ImageDecoder { _ in pixels }
    /// The variables that a program needs, or that its shell or system sets.
    private static let variables: Set = [
        "PATH", "HOME", "TMPDIR", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_", "__CF_USER_TEXT_ENCODING",
    ]
    private static let avatar = "https://avatars.githubusercontent.com/u/1"

    @Test("are decoded from a complete PPM")
    func reading() throws {
        let pixels = try #require(Self.pixels)
        #expect(pixels.width == 2 && pixels.height == 3)
        #expect(pixels.color(1, 0) == Color(red: 0, green: 255, blue: 0))
        #expect(pixels.color(1, 2) == Color(red: 40, green: 50, blue: 60))
        for count in 0..<(Self.ppm.count + Self.bytes.count) {
            #expect(PixelImage(ppm: (Self.ppm + Self.bytes).prefix(count)) == nil)
        }
        for head in ["P5 1 1 255 ", "P6 1 1 65535 ", "P6 0 1 255 ", "P6 -1 1 255 ", "P6 99999999999999999999 1 255 "] {
            #expect(PixelImage(ppm: Data(head.utf8) + Self.bytes) == nil)
        }
    }

    @Test("show two pixels in a half block, in 24-bit colors or 256")
    func blocks() throws {
        let pixels = try #require(Self.pixels)
        let lines = pixels.lines(isTrueColor: true)
        #expect(lines.count == 2)
        #expect(lines[0].rendered(inColor: true).hasPrefix("\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[0m"))
        // The last row has no lower pixels.
        #expect(lines[1].rendered(inColor: true).hasPrefix("\u{1B}[38;2;10;20;30m▀"))
        let few = pixels.lines(isTrueColor: false)
        #expect(few[0].rendered(inColor: true).hasPrefix("\u{1B}[38;5;196;48;5;21m▀"))
    }

    @Test("are scaled down to the mean of pixels, and never up")
    func scaling() throws {
        let pixels = try #require(Self.pixels)
        let small = pixels.scaled(toFit: 1, 100)
        #expect(small.width == 1 && small.height == 1)
        #expect(small.color(0, 0) == Color(red: 93, green: 96, blue: 100))
        #expect(pixels.scaled(toFit: 100, 100) == pixels)
    }

    @Test("are drawn above a page with --images, on a terminal with colors")
    func pages() async {
        for arguments in [["profile", "octocat"], ["character", "1"]] {
            let plain = await browse(arguments[0], arguments[1], onTerminal: true, decoder: Self.decoder)
            let drawn = await browse(arguments[0], arguments[1], "--images", onTerminal: true, decoder: Self.decoder)
            #expect(drawn.output.hasPrefix("\u{1B}[38;5;"))
            #expect(drawn.output.contains("▀") && drawn.output.hasSuffix(plain.output), "\(arguments)")
            for option in ["--json", "--color=never"] {
                let undrawn = await browse(
                    arguments[0],
                    arguments[1],
                    "--images",
                    option,
                    onTerminal: true,
                    decoder: Self.decoder
                )
                #expect(!undrawn.output.contains("▀"))
            }
        }
    }

    @Test("are described if they can't be drawn")
    func descriptions() async {
        let run = await browse("profile", "octocat", "--images", "--color", "always", onTerminal: true)
        #expect(run.output.contains("PNG, 128 × 128, "))
        #expect(
            await browse("image", Self.avatar, "--side", "64").output.contains("format\tpng\nwidth\t64\nheight\t64\n")
        )
        #expect(object(await browse("image", Self.avatar, "--json").output)["height"] as? Int == 100)
    }

    /// Returns what a program in the place of ImageMagick prints for an image.
    private func seen(
        by command: String,
        _ environment: [String: String] = [:],
        of image: EncodedImage = EncodedImage(data: Data([1]), format: .png, size: PixelSize(width: 1, height: 1))
    ) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "magick-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = folder.appending(path: "magick")
        try Data("#!/bin/sh\n\(command) > \"${0%/*}/seen\"\n".utf8).write(to: tool)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool.path)
        let environment = environment.merging(["PATH": folder.path, "HOME": folder.path]) { $1 }
        _ = await ImageDecoder.imageMagick(environment).decode(image)
        return try String(contentsOf: folder.appending(path: "seen"), encoding: .utf8)
    }

    // aguidrevitch/jquery-file-upload-middleware#4 and kitodo/kitodo-production#6787
    @Test("are turned as their EXIF data says, before it is removed")
    func orientation() async throws {
        #expect(try await seen(by: "echo \"$@\"").contains(" -auto-orient -strip "))
    }

    // onevcat/Kingfisher#736 and LadybirdBrowser/ladybird#9702
    @Test(
        "are the largest of an icon",
        arguments: [([16, 48, 32], 1), ([48, 0, 32], 1), ([48, 48], 0), ([], 0)] as [([UInt8], Int)]
    )
    func icon(widths: [UInt8], index: Int) async throws {
        let entries = widths.flatMap { [$0, $0] + [UInt8](repeating: 0, count: 14) }
        let head: [UInt8] = [0, 0, 1, 0, UInt8(widths.count), 0]
        // What follows the entries isn't one.
        let data = Data(head + entries + [UInt8](repeating: 255, count: 64))
        let size = PixelSize(width: 48, height: 48)
        let seen = try await seen(by: "echo \"$@\"", of: EncodedImage(data: data, format: .ico, size: size))
        #expect(seen.contains(".ico[\(index)] "), "\(seen)")
        let picture = EncodedImage(data: data, format: .gif, size: size)
        #expect(try await self.seen(by: "echo \"$@\"", of: picture).contains(".gif[0] "))
    }

    @Test("are decoded by a program that sees only the variables it needs")
    func cleanEnvironment() async throws {
        let secrets = ["GITHUB_TOKEN": "made-up-canary-token", "BROWSE_CANARY_TOKEN": "x"]
        let seen = try await seen(by: "/usr/bin/env", secrets)
        #expect(seen.contains("PATH=") && seen.contains("/magick-") && seen.contains("HOME="))
        #expect(!seen.contains("TOKEN") && !seen.contains("canary"), "\(seen)")
        // A child inherits the variables of this process, unless it gets its own environment.
        let names = Set(seen.split(separator: "\n").map { $0.prefix { $0 != "=" } }.map(String.init))
        let others = Set(ProcessInfo.processInfo.environment.keys).subtracting(Self.variables)
        try #require(!others.isEmpty)
        #expect(names.isDisjoint(with: others), "\(seen)")
    }

    @Test("that aren't images fail with a message")
    func failures() async {
        let missing = await browse("image", "https://images.example/none.png")
        #expect(missing.outcome == .notFound && missing.errors.contains("No Image"))
        #expect(await browse("image", Self.avatar, "--scenario", "offline").outcome != .success)
        #expect(await browse("image", Self.avatar, "--side", "0").outcome == .usage)
        let page = await browse(
            "profile",
            "octocat",
            "--images",
            "--color=always",
            onTerminal: true,
            decoder: Self.decoder
        )
        #expect(page.outcome == .success)
    }
}
