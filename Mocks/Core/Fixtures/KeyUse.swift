@_spi(Services) import BrowseData
import Foundation
import Synchronization

/// The keys that types ask for while they're decoded.
final class KeyUse: Sendable {
    /// A key of a type.
    struct Key: Hashable, Sendable, CustomStringConvertible {
        /// The name of the decoded type, without its module.
        let type: String
        let name: String

        var description: String { "\(type).\(name)" }

        fileprivate init(_ name: String, of keys: Any.Type) {
            // `Books.BookDTO.CodingKeys`, with more parts if the type or its keys are private.
            let parts = String(reflecting: keys).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }
            type = parts.dropLast().last.map(String.init) ?? ""
            self.name = name
        }
    }

    private struct NestedType: Sendable {
        /// Immutable, and used only by the task that decodes.
        nonisolated(unsafe) let type: any Decodable.Type
    }

    @TaskLocal fileprivate static var current: KeyUse?
    /// The keys of the types, with whether an object had them, and the keys of the objects.
    private let uses = Mutex<(isPresent: [Key: Bool], found: Set<Key>)>(([:], []))
    private let types = Mutex<[ObjectIdentifier: NestedType]>([:])

    /// The types inside those that were decoded.
    var nestedTypes: [any Decodable.Type] { types.withLock { $0.values.map(\.type) } }

    /// The keys that were never present, those that were, and all of the objects.
    var keys: (absent: [Key], present: [Key], found: Set<Key>) {
        let uses = uses.withLock { $0 }
        let keys = uses.isPresent
        return (keys.filter { !$0.value }.map(\.key), keys.filter(\.value).map(\.key), uses.found)
    }

    /// Decodes a value, and notes its keys if that succeeds.
    ///
    /// - Parameter isNested: Whether only a value with all known keys of the type counts, since
    ///   another object can have some of them.
    func decode(_ type: any Decodable.Type, from data: Data, by decoder: JSONDecoder, isNested: Bool = false) {
        func isDecodable<Value: Decodable>(_ type: Value.Type) -> Bool {
            (try? decoder.decode(Noted<Value>.self, from: data)) != nil
        }
        let use = KeyUse()
        guard Self.$current.withValue(use, operation: { isDecodable(type) }) else { return }
        let new = use.uses.withLock { $0 }
        uses.withLock { known in
            if isNested, new.isPresent.contains(where: { !$0.value && known.isPresent[$0.key] == true }) { return }
            known.isPresent.merge(new.isPresent) { $0 || $1 }
            known.found.formUnion(new.found)
        }
        for nested in use.nestedTypes where ObjectIdentifier(nested) != ObjectIdentifier(type) { note(nested) }
    }

    fileprivate func note(_ type: any Decodable.Type) {
        let nested = NestedType(type: type)
        types.withLock { $0[ObjectIdentifier(nested.type)] = nested }
    }

    fileprivate func note<Name: CodingKey>(_ name: Name, isPresent: Bool) {
        guard Self.isOfApp(Name.self) else { return }
        let key = Key(name.stringValue, of: Name.self)
        uses.withLock { uses in uses.isPresent[key] = uses.isPresent[key] == true || isPresent }
    }

    fileprivate func note<Name: CodingKey>(_ found: [JSONKey], of keys: Name.Type) {
        guard Self.isOfApp(keys) else { return }
        let found = found.map { Key($0.stringValue, of: keys) }
        uses.withLock { $0.found.formUnion(found) }
    }

    /// Whether keys aren't those of the SDK's own types, which have tests of their own.
    private static func isOfApp(_ keys: Any.Type) -> Bool { !String(reflecting: keys).hasPrefix("Browse") }
}

/// A value whose keys are noted while it's decoded.
private struct Noted<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        // The decoder treats these types in its own way.
        let types: [Any.Type] = [
            String.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Date.self, Data.self, URL.self, Decimal.self,
        ]
        if types.contains(where: { $0 == Value.self }) {
            value = try decoder.singleValueContainer().decode(Value.self)
        } else {
            KeyUse.current?.note(Value.self)
            value = try Value(from: NotingDecoder(decoder))
        }
    }
}

private struct NotingDecoder: Decoder {
    let base: any Decoder

    init(_ base: any Decoder) { self.base = base }

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let use = KeyUse.current { use.note(try base.container(keyedBy: JSONKey.self).allKeys, of: type) }
        return KeyedDecodingContainer(NotingKeys(try base.container(keyedBy: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { NotingElements(base: try base.unkeyedContainer()) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        NotingValue(base: try base.singleValueContainer())
    }
}

private struct NotingKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>

    init(_ base: KeyedDecodingContainer<Key>) { self.base = base }

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    func contains(_ key: Key) -> Bool {
        let isPresent = base.contains(key)
        KeyUse.current?.note(key, isPresent: isPresent)
        return isPresent
    }

    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        _ = contains(key)
        return try base.decode(Noted<Value>.self, forKey: key).value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        _ = contains(key)
        return KeyedDecodingContainer(NotingKeys<Nested>(try base.nestedContainer(keyedBy: type, forKey: key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        _ = contains(key)
        return NotingElements(base: try base.nestedUnkeyedContainer(forKey: key))
    }

    func superDecoder() throws -> any Decoder { NotingDecoder(try base.superDecoder()) }
    func superDecoder(forKey key: Key) throws -> any Decoder { NotingDecoder(try base.superDecoder(forKey: key)) }
}

private struct NotingElements: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try base.decode(Noted<Value>.self).value
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        KeyedDecodingContainer(NotingKeys(try base.nestedContainer(keyedBy: type)))
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        NotingElements(base: try base.nestedUnkeyedContainer())
    }
    mutating func superDecoder() throws -> any Decoder { NotingDecoder(try base.superDecoder()) }
}

private struct NotingValue: SingleValueDecodingContainer {
    let base: any SingleValueDecodingContainer

    var codingPath: [any CodingKey] { base.codingPath }

    func decodeNil() -> Bool { base.decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try base.decode(Noted<Value>.self).value }
}
