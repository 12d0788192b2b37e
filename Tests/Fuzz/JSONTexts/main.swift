import FuzzDriver
import FuzzProperties

FuzzDriver.run { bytes, count in
  Property.json(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
