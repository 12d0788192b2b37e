import FoundationEssentials

/// The id of a navigator.
package struct NavigatorID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The id of a tab within its navigator. A client may choose it.
package struct TabID: Hashable, Sendable, CustomStringConvertible {
  @ByteExact package private(set) var text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }

  /// A new id: a UUID of version 7, in lower case like all ids.
  package static func version7() -> TabID { TabID(RowID(.version7()).description) }
}

/// A tab of a navigator: its stack, and the look of its button.
package struct Tab: Sendable, Hashable {
  package let id: TabID
  @ByteExact package var title: String?
  @ByteExact package var image: String?
  /// The root screen first, the top last. Never empty.
  package var stack: [ScreenReference]

  package init(
    id: TabID, title: String? = nil, image: String? = nil, stack: [ScreenReference]
  ) {
    self.id = id
    self.title = title
    self.image = image
    self.stack = stack
  }
}

/// The state of a navigator that clients set.
package struct NavigatorDetails: Sendable, Hashable {
  @ByteExact package var name: String?
  /// Never empty. Ids are unique.
  package var tabs: [Tab]
  /// The id of one of the tabs.
  package var selectedTab: TabID

  package init(name: String? = nil, tabs: [Tab], selectedTab: TabID) {
    self.name = name
    self.tabs = tabs
    self.selectedTab = selectedTab
  }

  /// The lists and items of all screens.
  package var rows: Set<RowID> { Set(tabs.flatMap { $0.stack.compactMap(\.target.row) }) }
}

/// An entry of a list of navigators.
package struct NavigatorSummary: Sendable, Equatable {
  package let id: NavigatorID
  package var name: String?
  package var selectedTab: TabID
  /// The number of changes, from 1.
  package var version: Int64
  package var createdAt: Timestamp
  /// The time of the last change.
  package var lastUsedAt: Timestamp

  package init(
    id: NavigatorID, name: String?, selectedTab: TabID, version: Int64, createdAt: Timestamp,
    lastUsedAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.selectedTab = selectedTab
    self.version = version
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }
}

/// A device's navigation state, kept so that a person finds it after a restart or on another phone.
package struct Navigator: Sendable, Equatable {
  package let id: NavigatorID
  package var details: NavigatorDetails
  /// The number of changes, from 1.
  package var version: Int64
  package var createdAt: Timestamp
  /// The time of the last change.
  package var lastUsedAt: Timestamp

  package init(
    id: NavigatorID, details: NavigatorDetails, version: Int64, createdAt: Timestamp,
    lastUsedAt: Timestamp
  ) {
    self.id = id
    self.details = details
    self.version = version
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  package var summary: NavigatorSummary {
    NavigatorSummary(
      id: id, name: details.name, selectedTab: details.selectedTab, version: version,
      createdAt: createdAt, lastUsedAt: lastUsedAt)
  }
}

/// The result of an edit of a navigator.
package struct NavigatorEdit: Sendable, Equatable {
  package var details: NavigatorDetails
  /// The lists and items of its screens, at the time of the edit.
  package var subjects: [RowID: ScreenSubject]
  /// The screen that a pop removed.
  package var popped: ScreenReference?

  package init(
    details: NavigatorDetails, subjects: [RowID: ScreenSubject], popped: ScreenReference? = nil
  ) {
    self.details = details
    self.subjects = subjects
    self.popped = popped
  }
}
