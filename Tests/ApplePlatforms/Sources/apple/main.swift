import Foundation

let here = URL(filePath: CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath)
let repository = here.standardizedFileURL
do {
    let manifest = try Manifest(of: repository)
    let modules = Modules(of: manifest)
    let folder = repository.appending(path: "Tests/ApplePlatforms/.build/check")
    let builder = try Builder(repository: repository, folder: folder, sources: modules.sources)
    var failures: Set<String> = []
    await withTaskGroup { group in
        for platform in Platform.allCases {
            for target in modules.targets {
                group.addTask { () -> String? in
                    do {
                        _ = try await builder.build(target, for: platform)
                        return nil
                    } catch let failure as Failure {
                        return failure.text
                    } catch {
                        return "\(error)"
                    }
                }
            }
        }
        for await case let failure? in group where failures.insert(failure).inserted { print(failure) }
    }
    guard failures.isEmpty else { exit(1) }
    print("Sources, Mocks, and Tests compile for \(Platform.allCases.map(\.rawValue).joined(separator: ", ")).")
} catch {
    print((error as? Failure)?.text ?? "\(error)")
    exit(1)
}
