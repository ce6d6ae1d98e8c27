import Foundation

do {
    let path = CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
    let check = try Check(repository: URL(filePath: path).standardizedFileURL)
    if CommandLine.arguments.dropFirst(2).first == "views" {
        print(try await check.searchPathsOfViews().joined(separator: "\n"))
    } else {
        try await check.run()
    }
} catch {
    print((error as? Failure)?.text ?? "\(error)")
    exit(1)
}
