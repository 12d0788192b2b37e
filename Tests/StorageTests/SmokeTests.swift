import Inventory
import Storage
import Synchronization
import Testing
import Glibc

func write(_ store: SQLiteStore, _ c: Command) -> Result<Outcome, InventoryError> {
  let box = Mutex<Result<Outcome, InventoryError>?>(nil)
  store.submit(c, WriteContext(caller: .local, requestID: "r")) { r in box.withLock { $0 = r } }
  while true { if let r = box.withLock({ $0 }) { return r }; usleep(20) }
}
@Test func smoke() throws {
  var cfg = SQLiteStore.Configuration(path: ":memory:")
  cfg.shape = TreeShape(fanOut: 4, gap: 4)
  let store = try SQLiteStore(cfg)
  let session = try store.makeSession()
  for i in 0..<100 {
    let r = write(store, .createItem(NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Item \(i)", value: Cents(100))), in: .root, i % 3 == 0 ? .first : .last))
    if i == 0 { print(r) }
    if case .failure(let e) = r { print(e) }
  }
  for i in 0..<300 {
    let r = write(store, .moveRow(in: .root, from: (i * 37) % 100, to: (i * 53) % 100, expecting: nil))
    if case .failure(let e) = r { print(e) }
  }
  print(write(store, .appendItems((0..<1000).map { NewItem(id: ItemID(.version7()), details: ItemDetails(name: "x\($0)")) }, to: .root)).map { $0.receipt.revision })
  let r = session.read(.bounded, { (s) throws(InventoryError) in
    var titles: [String] = []
    try s.rows(of: .root, PageWindow(start: .offset(90), limit: 20), for: .local, begin: { l, i in print(l, i) }, visit: { titles.append("\($0.index) \($0.title)") })
    return titles
  }, later: { _ in })
  print(r as Any)
  for _ in 0..<900 {
    let r = write(store, .deleteRowAt(.root, index: Int.random(in: 0..<150), expecting: nil, isRecursive: false))
    if case .failure(let e) = r { print(e) }
  }
  session.rest()
  let path = store.path
  system("cp \(path) /tmp/x.sqlite; cp \(path)-wal /tmp/x.sqlite-wal")
  store.close()
  let before = ContinuousClock.now
  print(try Database.check(path: "/tmp/x.sqlite", shape: TreeShape(fanOut: 4, gap: 4)), ContinuousClock.now - before)
}
