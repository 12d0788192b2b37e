import FuzzDriver
import FuzzProperties

FuzzDriver.run { bytes, count in
  Property.chunks(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
