/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact beside a sweep: pairs of triangles that meet are found at random poses by the trees, posed on demand, and without a
 * tree.
 */
#ifndef SINEW_HOST_BENCHMARK_CONTACT_SWEEP_H
#define SINEW_HOST_BENCHMARK_CONTACT_SWEEP_H

#include "contact/contact.h"
#include "stack/stack.h"

typedef struct snw_bench_contact_sweep {
	uint32_t points, triangles; /* of the character */
	uint32_t poses, stretched;  /* pairs of poses; with joints that stretch, every fourth */
	uint64_t pairs, self_pairs; /* that the sweep has found: of two characters, and of one with itself */
	uint64_t missed, extra;     /* of these, that the trees have not found; and what they have found beside them */
	uint64_t outside;           /* places of triangles that a box from the palette does not contain */
} snw_bench_contact_sweep;

/* Two of the character at random poses, one moved along x by up to a tenth of its diagonal, and the first with itself. The
 * stack's segment of the mesh is one program; it has faces. SNW_CANCELLED if the task stops. */
snw_status snw_bench_contact_sweep_run(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, uint64_t random,
									   uint32_t poses, const snw_task *task, snw_bench_contact_sweep *answer, snw_error *error);

#endif
