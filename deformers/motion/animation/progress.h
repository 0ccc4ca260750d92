/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress and cancellation of long work.
 */
#ifndef SINEW_DEFORMERS_MOTION_ANIMATION_PROGRESS_H
#define SINEW_DEFORMERS_MOTION_ANIMATION_PROGRESS_H

/* `go_on` is called between steps, on the thread that started the work, with the fraction done, which never decreases. Work
 * stops if it returns 0. NULL: work is never stopped. */
typedef struct snk_steps {
	int (*go_on)(void *context, double done);
	void *context;
} snk_steps;

static inline int snk_steps_go_on(const snk_steps *steps, double done) {
	return !steps->go_on || steps->go_on(steps->context, done);
}

#endif
