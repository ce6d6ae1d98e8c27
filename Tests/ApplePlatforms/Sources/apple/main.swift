import Foundation

do {
    let path = CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
    let check = try Check(repository: URL(filePath: path).standardizedFileURL)
    try await check.run()
} catch {
    print((error as? Failure)?.text ?? "\(error)")
    exit(1)
}
