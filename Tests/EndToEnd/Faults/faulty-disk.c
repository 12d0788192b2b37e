/*
 * A disk that fails on demand, and records its writes.
 *
 * Preloaded into the server (LD_PRELOAD), it replaces the calls by which SQLite reads and writes the
 * database's files. It is controlled by a file of nine numbers that the test shares with it
 * (FaultyDisk.swift), so that a fault can come and go while the server runs:
 *
 *   ROWHOUSE_DISK_FILE     the database's path; files whose names begin with it are watched
 *   ROWHOUSE_DISK_CONTROL  the shared numbers
 *   ROWHOUSE_DISK_TRACE    where to append what was written, synced and answered (DiskTrace.swift)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { WRITE = 1, SYNC = 2, TRUNCATE = 4, OPEN = 8, READ = 16, UNLINK = 32 };
enum file { NONE, DATABASE, WAL, JOURNAL, FOLDER, SHARED, DRAFT };
enum record { CREATED = 1, WRITTEN, TRUNCATED, SYNC_BEGUN, SYNC_ENDED, UNLINKED, SENT, SYNC_FAILED };

/* The calls of `kinds` on `file` (0: any) are counted; those from `first` to `last` fail as `action` says. */
struct control {
  _Atomic int64_t kinds, first, last, action, torn, calls, faults, file, held;
};
/* Actions that are no errno. A call that is held waits until `held` is 0, and then goes through. */
enum { SHORT = -1, KILL = -2, HOLD = -3 };

static struct control *control;
static int trace = -1;
static char database[4096], folder[4096];
static _Atomic unsigned char files[65536];

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
/* Looked up once for each call, at its first use: others' constructors may call before ours. */
#define REAL(name) \
  ({ static __typeof__(&name) real; if (!real) real = NEXT(name); real; })

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ROWHOUSE_DISK_FILE");
  if (!path || strlen(path) >= sizeof database) return;
  strcpy(database, path);
  strcpy(folder, path);
  *strrchr(folder, '/') = 0;
  const char *shared = getenv("ROWHOUSE_DISK_CONTROL"), *log = getenv("ROWHOUSE_DISK_TRACE");
  if (shared) {
    int descriptor = REAL(open)(shared, O_RDWR | O_CLOEXEC);
    void *memory = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) abort();
    control = memory;
    REAL(close)(descriptor);
  }
  if (log) {
    trace = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace < 0) abort();
  }
}

static enum file file_at(const char *path) {
  size_t length = strlen(database);
  if (!length) return NONE;
  if (!strcmp(path, folder)) return FOLDER;
  if (strncmp(path, database, length)) return NONE;
  path += length;
  /* What is to get the database's name once it is whole. */
  size_t rest = strlen(path);
  if (rest > 5 && !strcmp(path + rest - 5, ".part")) return DRAFT;
  return !*path ? DATABASE : !strcmp(path, "-wal") ? WAL : !strcmp(path, "-journal") ? JOURNAL
    : !strcmp(path, "-shm") ? SHARED : NONE;
}

static enum file file_of(int descriptor) {
  return descriptor >= 0 && descriptor < 65536 ? files[descriptor] : NONE;
}

/* One append is one record, whole and in its place among those of other threads and processes. */
static void tell(enum record kind, enum file file, int64_t offset, const void *bytes, size_t count) {
  /* Shared memory is never synced. SQLite rebuilds it from the log. */
  if (trace < 0 || file == SHARED) return;
  struct { uint8_t kind, file, unused[2]; uint32_t count; int64_t offset; } head =
    { kind, file, { 0, 0 }, bytes ? count : 0, offset };
  struct iovec parts[] = { { &head, sizeof head }, { (void *)bytes, head.count } };
  if (writev(trace, parts, 2) != (ssize_t)(sizeof head + head.count)) abort();
}

/* Whether this call is to fail, and how. */
static int64_t fault(enum call call, enum file file) {
  if (!control || file == NONE || file == FOLDER || !(control->kinds & call)) return 0;
  if (control->file && control->file != (int64_t)file) return 0;
  int64_t number = atomic_fetch_add(&control->calls, 1) + 1;
  if (number < control->first || number > control->last) return 0;
  atomic_fetch_add(&control->faults, 1);
  int64_t action = control->action;
  if (action != HOLD) return action;
  while (control->held) usleep(100);
  return 0;
}

static int fail(int64_t action) {
  if (action == KILL) kill(getpid(), SIGKILL);
  errno = action;
  return -1;
}

static int opened(int descriptor, enum file file, int is_new) {
  if (descriptor < 0 || descriptor >= 65536) return descriptor;
  files[descriptor] = file;
  if (file != NONE && is_new) tell(CREATED, file, 0, NULL, 0);
  return descriptor;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  enum file file = file_at(path);
  int is_new = file != NONE && flags & O_CREAT && access(path, F_OK);
  int64_t action = fault(OPEN, file);
  if (action && action != SHORT) return fail(action);
  return opened(REAL(open64)(path, flags, mode), file, is_new);
}
int open(const char *path, int flags, ...) __attribute__((alias("open64")));

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < 65536) files[descriptor] = NONE;
  return REAL(close)(descriptor);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  enum file file = file_of(descriptor);
  int64_t action = fault(WRITE, file);
  if (action == SHORT && count > 1) count /= 2;
  else if (action && action != SHORT) {
    if (control->torn && count > 1) {
      ssize_t half = REAL(pwrite64)(descriptor, bytes, count / 2, offset);
      if (half > 0) tell(WRITTEN, file, offset, bytes, half);
    }
    return fail(action);
  }
  ssize_t written = REAL(pwrite64)(descriptor, bytes, count, offset);
  if (file != NONE && written > 0) tell(WRITTEN, file, offset, bytes, written);
  return written;
}
ssize_t pwrite(int, const void *, size_t, off_t) __attribute__((alias("pwrite64")));

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  int64_t action = fault(READ, file_of(descriptor));
  /* A short read is the end of the file, which no disk makes up. */
  if (action && action != SHORT) return fail(action);
  return REAL(pread64)(descriptor, bytes, count, offset);
}
ssize_t pread(int, void *, size_t, off_t) __attribute__((alias("pread64")));

static int synced(int descriptor, int (*sync)(int)) {
  enum file file = file_of(descriptor);
  int64_t action = fault(SYNC, file);
  if (action && action != SHORT) {
    /* As on Linux: what was not on the disk never will be, unless it is written again. */
    tell(SYNC_FAILED, file, 0, NULL, 0);
    return fail(action);
  }
  if (file == NONE) return sync(descriptor);
  tell(SYNC_BEGUN, file, 0, NULL, 0);
  int result = sync(descriptor);
  if (!result) tell(SYNC_ENDED, file, 0, NULL, 0);
  return result;
}
int fsync(int descriptor) { return synced(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return synced(descriptor, REAL(fdatasync)); }

int ftruncate64(int descriptor, off64_t size) {
  enum file file = file_of(descriptor);
  int64_t action = fault(TRUNCATE, file);
  if (action && action != SHORT) return fail(action);
  int result = REAL(ftruncate64)(descriptor, size);
  if (file != NONE && !result) tell(TRUNCATED, file, size, NULL, 0);
  return result;
}
int ftruncate(int, off_t) __attribute__((alias("ftruncate64")));

/* What has been something else's name until now. */
static int named(int result, const char *path) {
  if (!result && file_at(path) == DATABASE) tell(CREATED, DATABASE, 0, NULL, 0);
  return result;
}
int link(const char *old, const char *path) { return named(REAL(link)(old, path), path); }
int rename(const char *old, const char *path) { return named(REAL(rename)(old, path), path); }

int unlink(const char *path) {
  enum file file = file_at(path);
  int64_t action = fault(UNLINK, file);
  if (action && action != SHORT) return fail(action);
  int result = REAL(unlink)(path);
  if (file != NONE && !result) tell(UNLINKED, file, 0, NULL, 0);
  return result;
}

/* Told before it is done: what an answer promises has to be on the disk by now. */
ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  tell(SENT, NONE, 0, bytes, count < 1024 ? count : 1024);
  return REAL(send)(socket, bytes, count, flags);
}
