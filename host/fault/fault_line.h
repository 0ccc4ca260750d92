/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line on standard error that names a plug-in at fault. These functions are safe in a signal handler.
 */
#ifndef SINEW_HOST_FAULT_FAULT_LINE_H
#define SINEW_HOST_FAULT_FAULT_LINE_H

#include <stdint.h>

#include "services/services.h"

/* Called before the process ends with such a line: returns in the first thread; all others wait for the end. */
void snw_fault_claim(void);

/* Calls the handler when the process exits. Threads that call exit at the same time share the handlers: each finds one, as long
 * as they are at most 256. */
void snw_fault_at_exit(void (*handler)(void));

/* "sinew: " and the deformer, or the path of its file. */
void snw_fault_begin_line(const snw_thread_call *call);
void snw_fault_put(const char *text);
void snw_fault_put_number(uint32_t number);
/* "deform of layer 'bulge'" */
void snw_fault_put_function(const snw_thread_call *call);
/* Ends the process at once, without a line. For _exit, which the program defines (crash_report.c). */
_Noreturn void snw_fault_exit(int status);
/* What the user can do about it, and the end of the line. */
void snw_fault_end_line(const snw_thread_call *call);
/* The same, with a line that names the project if this process has changed one; then the process ends with exit status 1. */
_Noreturn void snw_fault_end_process(const snw_thread_call *call);

#endif
