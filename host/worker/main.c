/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew-worker: what reads other people's files and runs fits, so that a crash or a hang stays in here. Started by the program
 * with its process id, never by hand.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "worker/serve.h"

/* Where the system runs out of memory, it should end this process and not the one that holds an artist's work. */
static void be_the_first_to_go(void) {
	FILE *score = fopen("/proc/self/oom_score_adj", "w");
	if (score) {
		fputs("1000", score);
		fclose(score);
	}
}

int main(int count, char **words) {
	if (count != 2) {
		fprintf(stderr, "sinew-worker is started by sinew; run sinew instead\n");
		return 2;
	}
	/* To die with the program that started it, and at once if that has died already. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != (pid_t)strtol(words[1], NULL, 10)) {
		return 2;
	}
	be_the_first_to_go();
	return snw_worker_serve(SNW_WORKER_CHANNEL, SNW_WORKER_OUTCOME);
}
