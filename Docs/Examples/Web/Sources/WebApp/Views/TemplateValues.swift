import Mustache

// Values of templates that rows, or parts of every page, contain. Templates read them by name; without this, by reflection, which
// took two thirds of the processor time of a page. A test compares the names with the properties.

extension RowView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "heading": heading
        case "level": level
        case "title": title
        case "link": link
        case "image": image
        case "subtitle": subtitle
        case "text": text
        case "facts": facts
        case "rating": rating
        case "marks": marks
        default: nil
        }
    }
}

extension MarkView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "action": action
        case "kind": kind
        case "isOn": isOn
        case "label": label
        case "count": count
        default: nil
        }
    }
}

extension ImageView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "source": source
        case "width": width
        case "height": height
        case "label": label
        default: nil
        }
    }
}

extension RatingView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "label": label
        case "average": average
        case "stars": stars
        case "count": count
        default: nil
        }
    }
}

extension Link: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "address": address
        case "title": title
        case "isExternal": isExternal
        default: nil
        }
    }
}

extension Group: MustacheParent {
    func child(named name: String) -> Any? { name == "list" ? list : nil }
}

extension PartView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "html": html
        case "style": style
        default: nil
        }
    }
}

extension LayoutView: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "language": language
        case "title": title
        case "site": site
        case "skip": skip
        case "navigation": navigation
        case "page": page
        case "event": event
        case "address": address
        case "token": token
        case "tabs": tabs
        case "languageLabel": languageLabel
        case "languages": languages
        case "main": main
        default: nil
        }
    }
}

extension LayoutView.Tab: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "address": address
        case "title": title
        case "isCurrent": isCurrent
        default: nil
        }
    }
}

extension LayoutView.Language: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "code": code
        case "title": title
        case "isCurrent": isCurrent
        default: nil
        }
    }
}
