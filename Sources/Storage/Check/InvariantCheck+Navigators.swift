import Inventory
import SQLite

extension InvariantCheck {
  /// Tabs and screens stand at places from 0 on without holes, and none is without a screen.
  func checkNavigators(_ report: (String) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT key, count(place), coalesce(max(place) + 1, 0), coalesce(sum(tab.id = selected_tab), 0)
      FROM navigator LEFT JOIN navigator_tab AS tab ON tab.navigator = key GROUP BY key
      """
    ).each { row in
      if row.int(1) == 0 || row.int(1) != row.int(2) || row.int(3) != 1 {
        report("navigator \(row.int64(0)): its tabs have holes, or none of them is selected")
      }
    }
    try db.sql(
      """
      SELECT tab.navigator, tab.place, count(screen.place), coalesce(max(screen.place) + 1, 0)
      FROM navigator_tab AS tab
      LEFT JOIN navigator_screen AS screen
        ON screen.navigator = tab.navigator AND screen.tab = tab.place
      GROUP BY tab.navigator, tab.place
      """
    ).each { row in
      if row.int(2) == 0 || row.int(2) != row.int(3) {
        report("navigator \(row.int64(0)): the stack of tab \(row.int(1)) has holes or is empty")
      }
    }
    try db.sql(
      """
      SELECT DISTINCT navigator FROM navigator_screen
      WHERE NOT EXISTS (
        SELECT 1 FROM navigator_tab AS tab
        WHERE tab.navigator = navigator_screen.navigator AND tab.place = navigator_screen.tab)
      """
    ).each { report("navigator \($0.int64(0)): has screens of a tab that is not there") }
  }
}
