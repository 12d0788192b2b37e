/// Sets and clears single custom fields of an item. The others stay as they are.
package struct FieldsEdit: Sendable {
  /// The fields after the edit.
  package struct Result: Sendable {
    package var fields: CustomFields
    package var count: Int

    package init(fields: CustomFields, count: Int) {
      self.fields = fields
      self.count = count
    }
  }

  /// The approximate number of bytes of text that it sets.
  package let textSize: Int
  /// - Throws: `storageFailed` if the present fields cannot be read.
  package let apply: @Sendable (CustomFields) throws(InventoryError) -> Result

  package init(
    textSize: Int, apply: @escaping @Sendable (CustomFields) throws(InventoryError) -> Result
  ) {
    self.textSize = textSize
    self.apply = apply
  }
}
