import API
import FoundationEssentials
import Glibc

/// The kernel's statistics of this process, with the usual names of Prometheus client libraries.
enum ProcessStatistics {
  /// - Parameter start: the start time of the process, in seconds since 1970.
  static func families(start: Double) -> [MetricFamily] {
    var families = [
      MetricFamily(
        .counter, "process_cpu_seconds_total", "CPU time, including system time.",
        .fraction(processorTime)),
      MetricFamily(
        .gauge, "process_start_time_seconds", "Start time of the process, in seconds since 1970.",
        .fraction(start)),
    ]
    if let (virtual, resident) = memory {
      families += [
        MetricFamily(
          .gauge, "process_virtual_memory_bytes", "Virtual memory.", .whole(virtual)),
        MetricFamily(
          .gauge, "process_resident_memory_bytes", "Resident memory.", .whole(resident)),
      ]
    }
    if let count = openDescriptors {
      families.append(
        MetricFamily(.gauge, "process_open_fds", "Open file descriptors.", .whole(count)))
    }
    if let limit = descriptorLimit {
      families.append(
        MetricFamily(
          .gauge, "process_max_fds", "Maximum number of file descriptors.", .whole(limit)))
    }
    return families
  }

  /// In seconds since 1970.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Double(time.tv_sec) * 1_000 + Double(time.tv_nsec / 1_000_000)) / 1_000
  }

  private static var processorTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let rest = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds * 1_000_000 + rest) / 1_000_000
  }

  /// In bytes. proc(5) counts pages.
  private static var memory: (virtual: Int, resident: Int)? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = text.split(separator: " ").prefix(2).compactMap { Int($0) }
    guard pages.count == 2 else { return nil }
    let size = sysconf(Int32(_SC_PAGESIZE))
    return (pages[0] * size, pages[1] * size)
  }

  private static var openDescriptors: Int? {
    var status = stat()
    // Since Linux 6.2 the folder's size is their number. Counting thousands takes long.
    if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int(status.st_size) }
    // One of them is the open folder itself.
    return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
      .map { $0.count - 1 }
  }

  private static var descriptorLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }
}
