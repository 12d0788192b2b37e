#pragma once

/* The client library of PostgreSQL: https://www.postgresql.org/docs/15/libpq.html
   The header is only there where libpq-dev is installed, and only builds with the trait PostgreSQL need it. */
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#endif
