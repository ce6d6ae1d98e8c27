package import ArgumentParser

/// Whose list or profile to show.
package struct NameArgument: ParsableArguments {
    @Argument(help: "The account's name.")
    package var name: String

    @Flag(
        help: ArgumentHelp(
            "Take the name as GitHub writes it.",
            discussion: "A typed name is checked by the rule for new names, which bots, managed and old accounts break."
        )
    )
    package var login: Bool = false

    package init() {}
}
