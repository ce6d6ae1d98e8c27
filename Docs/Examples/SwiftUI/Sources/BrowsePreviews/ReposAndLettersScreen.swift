import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

// Lists of two services on one screen; the page "Sign in with SwiftUI" shows it.

struct ReposAndLettersScreen<Letters: ListViewModel, LetterLabel: View, LettersForm: View>: View {
    let repos: RepoListViewModel
    let letters: Letters
    @ViewBuilder let letterLabel: (Letters.Row) -> LetterLabel
    @ViewBuilder let lettersForm: () -> LettersForm
    @State private var signsInToLetters = false
    @Environment(\.openBrowseRoute) private var openRoute

    var body: some View {
        List {
            BrowseRelatedSection("GitHub", content: repos.state.content, list: repos.list) { Text($0.fullName) }
            BrowseRelatedSection("Letters", content: letters.state.content, list: letters.list) { letterLabel($0) }
                .environment(
                    \.openBrowseRoute,
                    OpenBrowseRouteAction { route in
                        if route == .signIn { signsInToLetters = true } else { openRoute(route) }
                    }
                )
        }
        .sheet(isPresented: $signsInToLetters) { lettersForm() }
    }
}
