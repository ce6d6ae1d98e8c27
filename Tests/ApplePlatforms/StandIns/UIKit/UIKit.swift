// Declarations of Apple's UIKit as of iOS 18, from developer.apple.com/documentation/uikit.

#if os(iOS)
@_exported public import CoreGraphics
@_exported public import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
    open var tintColor: UIColor! {
        get { standIn() }
        set { standIn() }
    }
}

// Apple declares these for every object.
extension UIResponder {
    @MainActor public var isAccessibilityElement: Bool {
        get { standIn() }
        set { standIn() }
    }
    @MainActor public var accessibilityLabel: String? {
        get { standIn() }
        set { standIn() }
    }
}

open class UIColor: NSObject, @unchecked Sendable {
    open class var systemPink: UIColor { standIn() }
}

open class UIImage: NSObject, @unchecked Sendable {
    public convenience init?(systemName name: String) { standIn() }
}

@MainActor open class UIImageView: UIView {
    public init(image: UIImage?) { standIn() }
}

public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable
}

@MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static var valueChanged: Event { standIn() }
    }
    open func addAction(_ action: UIAction, for controlEvents: Event) { standIn() }
}

@MainActor open class UIRefreshControl: UIControl {
    public override init() { standIn() }
    open func endRefreshing() { standIn() }
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { standIn() }
    public required init?(coder: NSCoder) { standIn() }
    open func viewDidLoad() { standIn() }
    open func viewWillAppear(_ animated: Bool) { standIn() }
    open func viewDidDisappear(_ animated: Bool) { standIn() }
    open var title: String? {
        get { standIn() }
        set { standIn() }
    }
    open var contentUnavailableConfiguration: (any UIContentConfiguration)? {
        get { standIn() }
        set { standIn() }
    }
    open var navigationItem: UINavigationItem { standIn() }
    open var presentedViewController: UIViewController? { standIn() }
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) { standIn() }
}

@MainActor open class UINavigationItem: NSObject {
    open var prompt: String? {
        get { standIn() }
        set { standIn() }
    }
}

@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable {
        case actionSheet, alert
    }
    public convenience init(title: String?, message: String?, preferredStyle: Style) { standIn() }
    open func addAction(_ action: UIAlertAction) { standIn() }
}

@MainActor open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable {
        case `default`, cancel, destructive
    }
    public convenience init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { standIn() }
}

@MainActor open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) { standIn() }
    public required init?(coder: NSCoder) { standIn() }
}

@MainActor open class UICollectionReusableView: UIView {}

@MainActor open class UICollectionViewCell: UICollectionReusableView {
    open var contentConfiguration: (any UIContentConfiguration)? {
        get { standIn() }
        set { standIn() }
    }
}

@MainActor open class UICollectionViewListCell: UICollectionViewCell {
    open func defaultContentConfiguration() -> UIListContentConfiguration { standIn() }
    open var accessories: [UICellAccessory] {
        get { standIn() }
        set { standIn() }
    }
}

@MainActor @preconcurrency public protocol UIContentConfiguration {}

@MainActor @preconcurrency
public struct UIListContentConfiguration: UIContentConfiguration {
    @MainActor @preconcurrency public var text: String? {
        get { standIn() }
        set { standIn() }
    }
}

@MainActor @preconcurrency
public struct UIContentUnavailableConfiguration: UIContentConfiguration {
    public static func empty() -> UIContentUnavailableConfiguration { standIn() }
    public static func loading() -> UIContentUnavailableConfiguration { standIn() }
    public var text: String? {
        get { standIn() }
        set { standIn() }
    }
    public var secondaryText: String? {
        get { standIn() }
        set { standIn() }
    }
    public var button: UIButton.Configuration {
        get { standIn() }
        set { standIn() }
    }
    public var buttonProperties: ButtonProperties {
        get { standIn() }
        set { standIn() }
    }

    @MainActor @preconcurrency
    public struct ButtonProperties {
        public var primaryAction: UIAction? {
            get { standIn() }
            set { standIn() }
        }
    }
}

@MainActor open class UIButton: UIView {
    @MainActor @preconcurrency
    public struct Configuration {
        public var title: String? {
            get { standIn() }
            set { standIn() }
        }
    }
}

public typealias UIActionHandler = (_ action: UIAction) -> Void

@MainActor open class UIMenuElement: NSObject {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
    }
    public enum State: Int, Sendable { case off, on, mixed }
}

@MainActor open class UIAction: UIMenuElement {
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { standIn() }
    }
    public convenience init(
        title: String = "",
        subtitle: String? = nil,
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: UIMenuElement.Attributes = [],
        state: UIMenuElement.State = .off,
        handler: @escaping UIActionHandler
    ) { standIn() }
}

@MainActor @preconcurrency
public struct UICellAccessory {
    public struct CustomViewConfiguration {
        public init(
            customView: UIView,
            placement: Placement,
            isHidden: Bool? = nil,
            reservedLayoutWidth: LayoutDimension? = nil,
            tintColor: UIColor? = nil,
            maintainsFixedSize: Bool? = nil
        ) { standIn() }
    }
    public enum Placement {
        public typealias Position = (_ accessories: [UICellAccessory]) -> Int
        case leading(displayed: DisplayedState = .always, at: Position = { $0.count })
        case trailing(displayed: DisplayedState = .always, at: Position = { _ in 0 })
    }
    public enum LayoutDimension {
        case actual, standard
        case custom(CGFloat)
    }
    public enum DisplayedState: Sendable { case always, whenEditing, whenNotEditing }
    public static func disclosureIndicator() -> UICellAccessory { standIn() }
    public static func customView(configuration: CustomViewConfiguration) -> UICellAccessory { standIn() }
}

@MainActor open class UICollectionViewLayout: NSObject {}

@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    open class func list(
        using configuration: UICollectionLayoutListConfiguration
    ) -> UICollectionViewCompositionalLayout { standIn() }
}

@MainActor @preconcurrency
public struct UICollectionLayoutListConfiguration {
    public enum Appearance: Int, Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }
    public init(appearance: Appearance) { standIn() }
}

@MainActor open class UIScrollView: UIView {
    open var refreshControl: UIRefreshControl? {
        get { standIn() }
        set { standIn() }
    }
}

@MainActor open class UICollectionView: UIScrollView {
    @MainActor @preconcurrency
    public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void
        public init(handler: @escaping Handler) { standIn() }
    }

    open func deselectItem(at indexPath: IndexPath, animated: Bool) { standIn() }
    open func reloadData() { standIn() }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) { standIn() }
    open func insertItems(at indexPaths: [IndexPath]) { standIn() }
    open func deleteItems(at indexPaths: [IndexPath]) { standIn() }
    open func reconfigureItems(at indexPaths: [IndexPath]) { standIn() }
    public func dequeueConfiguredReusableCell<Cell, Item>(
        using registration: CellRegistration<Cell, Item>,
        for indexPath: IndexPath,
        item: Item?
    ) -> Cell { standIn() }
}

@MainActor open class UICollectionViewController: UIViewController {
    public init(collectionViewLayout layout: UICollectionViewLayout) { standIn() }
    public required init?(coder: NSCoder) { standIn() }
    open var collectionView: UICollectionView! {
        get { standIn() }
        set { standIn() }
    }
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { standIn() }
    open func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { standIn() }
    open func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) { standIn() }
    open func collectionView(
        _ collectionView: UICollectionView,
        willDisplay cell: UICollectionViewCell,
        forItemAt indexPath: IndexPath
    ) { standIn() }
    open func collectionView(
        _ collectionView: UICollectionView,
        didEndDisplaying cell: UICollectionViewCell,
        forItemAt indexPath: IndexPath
    ) { standIn() }
}

extension IndexPath {
    public init(item: Int, section: Int) { standIn() }
    public var item: Int { standIn() }
    public var section: Int { standIn() }
}

func standIn() -> Never { fatalError() }
#endif
