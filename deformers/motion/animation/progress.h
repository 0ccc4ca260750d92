/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long work reports its progress and learns that it should end.
 */
#ifndef SINEW_DEFORMERS_MOTION_ANIMATION_PROGRESS_H
#define SINEW_DEFORMERS_MOTION_ANIMATION_PROGRESS_H

/* go_on is called between steps, from the thread that began the work, with the part that is done, 0 to 1, never falling; 0 ends
 * it. NULL: nobody asks. */
typedef struct snk_steps {
	int (*go_on)(void *context, double done);
	void *context;
} snk_steps;

static inline int snk_steps_go_on(const snk_steps *steps, double done) {
	return !steps->go_on || steps->go_on(steps->context, done);
}

#endif
