/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a process of a plug-in gets, so that the program and the machine survive what it does.
 */
#ifndef SINEW_HOST_ISOLATION_CONFINE_H
#define SINEW_HOST_ISOLATION_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The memory of a process for plug-ins or imports, by default. */
#define SNW_PROCESS_MEMORY ((uint64_t)8 << 30)

/* If the system runs out of memory, it ends this process and not the one with an artist's work. */
void snw_confine_memory_shortage(void);

/* In a process that was forked for a plug-in: a process group of its own, so that signals to the group do not reach the
 * program; no signals to others, and no tracing of them; memory of its own up to SNW_PROCESS_MEMORY, and no core files. A call
 * to a process that is not its own fails, or ends the process by SIGSYS: after a trial the plug-in is loaded into the program,
 * where nothing hinders it. */
void snw_confine_plugin(bool is_trial);

/* Whether it has ended; it is still to be waited for. What it has started may hold its sockets and pipes open. */
bool snw_confined_has_ended(pid_t process);

/* Ends such a process with all that it has started and that has stayed in its group. It is still to be waited for. */
void snw_confined_end(pid_t process);

#endif
