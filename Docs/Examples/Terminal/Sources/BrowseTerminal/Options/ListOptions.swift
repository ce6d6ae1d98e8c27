import ArgumentParser

/// The options of commands that list accounts.
struct ListOptions: ParsableArguments {
    @Flag(help: allHelp)
    var all: Bool = false
    @Option(help: ArgumentHelp("Show only usernames that contain this text, ignoring case.", valueName: "text"))
    var filter: String = ""

    static let allHelp: ArgumentHelp = "Load all pages instead of the first. Ctrl-C stops and shows the loaded rows."
}
