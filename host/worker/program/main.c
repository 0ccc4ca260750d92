/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew-worker reads untrusted files and runs fits, so that a crash or a hang does not reach the program. The program starts it
 * and passes its own process id.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "isolation/confine.h"
#include "services/services.h"
#include "worker/job/job.h"

int main(int count, char **arguments) {
	if (count != 2) {
		fprintf(stderr, "sinew-worker: only sinew can start this program; run sinew instead\n");
		return 2;
	}
	/* The worker ends with the program that started it, at once if that program has already ended. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != (pid_t)strtol(arguments[1], NULL, 10)) {
		return 2;
	}
	snw_confine_memory_shortage();
	snw_call_trace_join("sinew-worker");
	return snw_worker_serve(STDIN_FILENO, SNW_WORKER_CHANNEL, SNW_WORKER_RESULT);
}
