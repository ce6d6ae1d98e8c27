import BrowseKit

/// A link to a page of this site or to a web page.
struct Link: Sendable {
    var address: String
    /// Whether the link leaves this site.
    var isExternal = false

    /// Creates a link to a page of this site.
    init(_ address: PageAddress) { self.address = address.text }

    /// Creates a link to a screen of this site, or to a web page over https; `nil` for other routes.
    init?(_ route: Route?) {
        if case .webPage(let page) = route {
            self.init(page)
        } else if let address = route?.path.flatMap(PageAddress.init) {
            self.init(address)
        } else {
            return nil
        }
    }

    /// Creates a link to a web page over https; `nil` for other addresses.
    init?(_ page: WebAddress) {
        guard let url = page.url, url.scheme?.lowercased() == "https" else { return nil }
        (address, isExternal) = (url.absoluteString, true)
    }

    func html(_ title: String, class name: String = "") -> HTML {
        let style: HTML? = name.isEmpty ? nil : " class=\"\(name)\""
        let target: HTML? = isExternal ? " rel=\"noopener noreferrer nofollow\" target=\"_blank\"" : nil
        return "<a href=\"\(address)\"\(style)\(target)>\(title)</a>"
    }
}

/// Returns a button that performs an action of the page, with the wanted value if it has one.
func button(_ action: PageAction.Name, to value: String? = nil, _ title: String, class name: String = "") -> HTML {
    let style: HTML? = name.isEmpty ? nil : " class=\"\(name)\""
    let words = [action.rawValue, value].compactMap(\.self).joined(separator: " ")
    return "<button form=\"actions\"\(style) name=\"do\" value=\"\(words)\">\(title)</button>"
}

/// Returns an element around a list; `nil` without elements.
func group(_ name: String, _ list: [HTML]) -> HTML? {
    list.isEmpty ? nil : "<div class=\"\(name)\">\(list)</div>"
}

func links(_ list: [HTML]) -> HTML? {
    list.isEmpty ? nil : "<ul class=\"links\" role=\"list\">\(list.map { "<li>\($0)</li>" })</ul>"
}

/// Returns links to lists, as next steps of a page that has nothing to show.
func listLinks(_ texts: Texts) -> HTML? {
    links(["users", "repos", "characters", "apps"].map { Link(PageAddress(path: $0)).html(texts(Site.title(of: $0))) })
}

/// Returns a link to the start, and links to lists.
func homeHelp(_ texts: Texts) -> HTML? {
    group("help", [Link(PageAddress()).html(texts(.home), class: "button"), listLinks(texts)].compactMap(\.self))
}

func facts(_ facts: [Fact]) -> HTML? {
    guard !facts.isEmpty else { return nil }
    let rows = facts.map { fact -> HTML in
        let value = Link(fact.route)?.html(fact.value) ?? "\(fact.value)"
        return "<div><dt>\(fact.label)</dt><dd>\(value)</dd></div>"
    }
    return "<dl>\(rows)</dl>"
}

/// Returns a section of a detail page, with a name for styles; `nil` without content.
func section(_ name: String, _ title: String? = nil, _ content: HTML?...) -> HTML? {
    let content = content.compactMap(\.self)
    guard !content.isEmpty else { return nil }
    return "<section class=\"\(name)\">\(title.map { "<h2>\($0)</h2>" })\(content)</section>"
}

func paragraph(_ text: String?, class name: String) -> HTML? {
    guard let text, !text.isEmpty else { return nil }
    return "<p class=\"\(name)\">\(text)</p>"
}

extension PageContext {
    /// Returns a picture in a size in CSS pixels; `nil` if there is none that this site serves.
    ///
    /// Twice as many pixels are requested, for dense screens.
    func image(_ address: WebAddress?, _ width: Int, by height: Int? = nil, label: String = "") -> HTML? {
        let height = height ?? width
        guard let address, let source = image(ImageRequest(address, side: max(width, height) * 2)) else { return nil }
        return """
            <img src="\(source)" width="\(width)" height="\(height)" alt="\(label)" loading="lazy" decoding="async">
            """
    }

    /// Returns a mark that a person can set and remove, of a row or, with an empty id, of the page.
    func mark(_ kind: PageAction.Name, row: String, isOn: Bool, label: String, count: String? = nil) -> HTML {
        let action = "\(kind.rawValue) \(isOn ? "off" : "on") \(row)"
        let text = count.map { "<span class=\"count\">\($0)</span>" as HTML }
        let label = [label, count].compactMap(\.self).joined(separator: ", ")
        // Without JavaScript, the page comes back at the row.
        let target: HTML? = row.isEmpty ? nil : " formaction=\"/actions#row-\(row)\""
        return """
            <button form="actions" class="mark \(kind.rawValue)"\(target) name="do" value="\(action)" \
            aria-pressed="\(isOn ? "true" : "false")" aria-label="\(label)">\(text)</button>
            """
    }

    func favorite(_ isOn: Bool, row: String = "", name: String) -> HTML {
        mark(.favorite, row: row, isOn: isOn, label: texts(.favorite(name)))
    }

    func star(_ isOn: Bool, row: String = "", count: Int?, name: String) -> HTML {
        mark(.star, row: row, isOn: isOn, label: texts(.star(name)), count: count.map(texts.formats.compact))
    }

    func html(_ rating: RatingLabel) -> HTML {
        let stars = rating.stars.map { "<span class=\"\("\($0)")\"></span>" as HTML }
        return """
            <p class="rating"><span class="stars" role="img" aria-label="\(texts(.rating(rating.average)))">\(stars)</span> \
            <span>\(rating.average)</span>\(rating.count.map { " <span>\($0)</span>" })</p>
            """
    }

    /// Returns a message, and the button or link that helps.
    func html(_ message: Message, hasTitle: Bool = true) -> (text: HTML, help: HTML?) {
        let title: HTML? = hasTitle ? "<h2>\(message.title)</h2>" : nil
        let help = help(for: message, isOfContent: true)
        return (
            "<div class=\"message\">\(title)<p>\(text(of: message))</p></div>",
            help.map { "<div class=\"help\">\($0)</div>" }
        )
    }

    /// Returns the message beside a page's content, or, without one, what signing in led to.
    ///
    /// The message stays in view.
    func notice(_ message: Message?) -> HTML {
        guard let message else { return arrivalNotice }
        return """
            <div class="notice" role="alert" data-notice="failure"><strong>\(message.title)</strong><p>\(text(of: message))</p>\
            \(help(for: message, isOfContent: false))\(button(.dismiss, texts(.dismiss)))</div>
            """
    }

    func notice(_ text: String, _ controls: HTML...) -> HTML {
        "<div class=\"notice\" role=\"status\"><p>\(text)</p>\(controls)</div>"
    }

    /// The notice of a page to which signing in led back; empty for others.
    var arrivalNotice: HTML { arrival.value.map { notice($0, button(.dismiss, texts(.dismiss))) } ?? "" }

    /// The text of a message. A time of day is that of the server, so a limit has a duration instead, which a script counts down.
    private func text(of message: Message) -> HTML {
        guard case .retryLater(let date) = message.action else { return "\(texts.text(of: message))" }
        let (end, rest) = (date.timeIntervalSince1970.rounded(.up), max(0, date.timeIntervalSinceNow))
        let minutes = texts(.limitedFor(max(1, Int(min(rest / 60, 1_500).rounded()))))
        // Not announced each second.
        let timer: HTML =
            "<span role=\"timer\" hidden>\(texts(.repeats)) <span data-until=\"\(Int(end))\"></span></span>"
        return "<span data-limit>\(minutes)</span> \(isSignIn ? nil : timer)"
    }

    /// Whether the page is for signing in, which has its own buttons and repeats nothing by itself.
    private var isSignIn: Bool { address.path == signInAddress.path }

    private func help(for message: Message, isOfContent: Bool) -> HTML? {
        let title = message.actionTitle ?? ""
        switch message.action {
        case .retry where isSignIn, .retryLater where isSignIn, .signIn where isSignIn: return nil
        case .retry: return button(.retry, title, class: "retry")
        case .retryLater: return button(.retry, texts(.tryNow), class: "retry")
        case .loadAll: return button(.loadAll, title)
        case .signIn: return Link(signInAddress).html(title, class: "button")
        case .clearFilter: return isOfContent ? Link(address.withoutFilter).html(title, class: "button") : nil
        case .open(let page): return Link(page)?.html(title, class: "button")
        case .changeInput, nil: return nil
        }
    }
}
