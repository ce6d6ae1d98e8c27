package import ArgumentParser

/// The options of commands that list accounts.
package struct ListOptions: ParsableArguments {
    @Flag(help: "Load every page, not the first 100 only. Ctrl-C stops, and shows what was loaded.")
    package var all: Bool = false

    @Option(help: ArgumentHelp("Show only the logins that contain this text, in any case.", valueName: "text"))
    package var filter: String = ""

    package init() {}
}
