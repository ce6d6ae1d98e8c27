import BrowseKit

/// The search for apps, and the lookup of one.
struct AppSearchScreen: ListScreen {
    let address: PageAddress

    func makeModel(in context: PageContext) -> AppSearchViewModel { context.container.appSearchViewModel() }

    func start(_ model: AppSearchViewModel) async {
        model.mode = address["mode"] == "look-up" ? .lookUp : .search
        model.query = address["q"]
        // An empty field is no mistake before it's submitted.
        if address.query["q"] != nil { await model.submit() }
    }

    func list(in state: AppSearchViewModel.State, _ context: PageContext) -> ListPart<AppRow> {
        ListPart(
            title: context.texts(.apps),
            content: state.content,
            notice: state.notice,
            hint: state.hint,
            summary: state.summary
        )
    }

    // Not live, because the App Store accepts about 20 requests a minute.
    func form(in context: PageContext) -> FormView? {
        let texts = context.texts
        return FormView(
            at: address,
            [
                .text("q", texts(.query), in: address),
                .choice("mode", texts(.mode), [("", texts(.byTerm)), ("look-up", texts(.byReference))], in: address),
            ],
            button: texts(.search),
            isLive: false
        )
    }
}
