// Redis's C client library: libhiredis-dev on Debian, hiredis-devel on Fedora.
#include <hiredis/hiredis.h>
