#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/*
 * Declared here and not by _GNU_SOURCE, which would give fd_set other members than Swift's own Glibc module has.
 */
extern int accept4(int, struct sockaddr *restrict, socklen_t *restrict, int);

/* `from` may be null. Swift would want a pointer to a `sockaddr`, which is smaller than what is written. */
static inline int rowhouse_accept(int listener, struct sockaddr_storage *from, socklen_t *length) {
  return accept4(listener, (struct sockaddr *)from, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
