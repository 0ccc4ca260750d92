#!/bin/sh
# Prints the names of the system's calls by their numbers, for sandbox.h, as C. The arguments are the compiler.
cat <<'END'
#include <sys/syscall.h>

#include "worker/program/sandbox.h"

const char *const snw_system_call_names[] = {
END
echo '#include <sys/syscall.h>' | "$@" -E -dM - | sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/\t[SYS_\1] = "\1",/p' | sort
cat <<'END'
};
const uint32_t snw_system_call_count = sizeof snw_system_call_names / sizeof *snw_system_call_names;
END
