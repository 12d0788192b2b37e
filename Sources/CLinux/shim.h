#pragma once
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

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
