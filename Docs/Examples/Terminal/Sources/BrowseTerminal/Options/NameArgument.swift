import ArgumentParser

/// The name of an account.
struct NameArgument: ParsableArguments {
    @Argument(help: "The username.")
    var name: String
    @Flag(help: loginHelp)
    var login: Bool = false

    static let loginHelp = ArgumentHelp(
        "Don't validate the name.",
        discussion: "The names of bots don't follow GitHub's rules for usernames."
    )
}
