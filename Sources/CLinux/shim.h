#pragma once
#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Declared here and not by _GNU_SOURCE, which would give fd_set other members than Swift's own Glibc module has.
 */
extern int accept4(int, struct sockaddr *restrict, socklen_t *restrict, int);

/* `from` may be null. Swift requires a pointer to `sockaddr`, which is smaller than the address that is written. */
static inline int rowhouse_accept(int listener, struct sockaddr_storage *from, socklen_t *length) {
  return accept4(listener, (struct sockaddr *)from, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Returns unused pages to the system: https://man7.org/linux/man-pages/man3/malloc_trim.3.html */
static inline void rowhouse_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/*
 * Sets how the calling thread shares a busy processor with others. `nicer` is added to its nice value. `slice` is its
 * time slice in nanoseconds, from 0.1 to 100 ms; usual is about 3 ms. From Linux 6.12 on, a thread that wakes up
 * interrupts one with a longer slice at once. Otherwise it waits until that slice is over.
 * https://man7.org/linux/man-pages/man2/sched_setattr.2.html, https://docs.kernel.org/scheduler/sched-eevdf.html
 */
static inline void rowhouse_share_processor(int nicer, uint64_t slice) {
  const int sum = getpriority(PRIO_PROCESS, 0) + nicer;
  const struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period;
  } attributes = {.size = sizeof attributes, .nice = sum > 19 ? 19 : sum, .slice = slice};
  /* The policy stays the usual one, whose number is 0. */
  if (syscall(SYS_sched_setattr, 0, &attributes, 0) != 0 && nicer > 0) nice(nicer);
}
