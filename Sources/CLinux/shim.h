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
 * Gives the calling thread a smaller share of a busy processor (10 more of nice), and has any thread that wakes up run
 * instead of it at once: Linux, from 6.12 on, lets a thread with a shorter time slice interrupt one with a longer slice.
 * Without that slice, a thread for long work goes on for about 3 ms while others wait.
 * https://man7.org/linux/man-pages/man2/sched_setattr.2.html, https://docs.kernel.org/scheduler/sched-eevdf.html
 */
static inline void rowhouse_yield_to_others(void) {
  const struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period;
  } attributes = {
      .size = sizeof attributes,
      /* The limit of nice values is 19, and of slices 100 ms, in nanoseconds. */
      .nice = getpriority(PRIO_PROCESS, 0) > 9 ? 19 : getpriority(PRIO_PROCESS, 0) + 10,
      .slice = 100000000};
  /* The other threads have the usual policy, whose number is 0. */
  if (syscall(SYS_sched_setattr, 0, &attributes, 0) != 0) nice(10);
}
