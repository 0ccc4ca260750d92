/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of a posed mesh, from the input of its program alone: no point is run. Points that follow the same joint most, with
 * about the same weight, form a cluster. A cluster has a box of its points, and for each slot s a box of what that slot pulls:
 * w_s and w_s (r − c), with r the rest point and c the cluster's middle. A pose then gives a box for each cluster, which
 * contains all its points, displacements included, whatever the matrices and the weights are.
 *
 * With p the cluster's pivot, the slot of the largest weight, a linear or affine blend of the point is
 *
 *     x = Σ_s T_s p_s = T_p Σ_s p_s + Σ_{s≠p} (T_s − T_p) p_s
 *
 * in which every term is a matrix times a vector of a known box. Where the point follows its pivot alone the sum is empty, and
 * where two joints are near each other it is small: so the boxes are tight where it matters.
 *
 * A blend of dual quaternions keeps to the same terms. Let r_s be the unit rotations (their signs chosen), y the stretched rest
 * point, X_s = R_s y + t_s its places under each slot alone, and b = Σ_s w_s r_s. As d_s = t_s r_s / 2 for the dual parts,
 *
 *     x = (b y b* + 2 Σ_s w_s d_s b*) / |b|² = Σ_s w_s X_s r_s b* / |b|²,
 *
 * of which the vector part is taken. The sum Σ_s w_s r_s b* is |b|² itself, so the pivot's place comes out of it:
 *
 *     x = X_p + Vec Σ_{s≠p} w_s (X_s − X_p) u_s g* / |g|²,   u_s = r_s r_p*,   g = b r_p* = Σ_s w_s u_s.
 *
 * The differences w_s (X_s − X_p) are those of the linear blend, and g is known as soon as the weights are. The boxes are this
 * equation with boxes (bounds_internal.h) in place of vectors. As |u_s| = 1, they also keep within Σ |w_s (X_s − X_p)| / |g| of
 * X_p. Under the rule of shortest rotations the real part of g is at least the pivot's weight, so |g| stays away from 0.
 * Palettes of given dual quaternions need not be unit: with length ℓ_s, weights become w_s ℓ_s, and a dual part that is not
 * perpendicular to the real one adds a scalar to X_s.
 */
#ifndef SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_H
#define SINEW_HOST_PROGRAM_BOUNDS_BOUNDS_H

#include "base/numbers.h"
#include "program/program.h"

typedef struct snw_program_bounds snw_program_bounds;
/* Scratch for posing: created once, used by one thread at a time. */
typedef struct snw_program_bounds_scratch snw_program_bounds_scratch;

/* In `arena`; it keeps no pointers to the program. */
snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena);
uint32_t snw_program_bounds_cluster_count(const snw_program_bounds *bounds);
snw_program_bounds_scratch *snw_program_bounds_scratch_make(const snw_program_bounds *bounds, snw_arena *arena);

/* A box for each cluster at that input: `boxes` is [cluster_count]. `points_in` (NULL: the rest) contains the points that the
 * program starts from. False if the dual quaternions of a cluster may cancel each other, which is possible with signs as given:
 * its box then follows the pivot slot alone. No allocation. */
bool snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, const snw_box *points_in,
							  snw_program_bounds_scratch *scratch, snw_box *boxes);

/* Bounds of given sets of points, each posed alone and only when it is asked for: set s has points[begins[s]] to
 * points[begins[s + 1] - 1], at least one. Sets may share points. Everything else is as above, with sets for clusters. */
snw_program_bounds *snw_program_bounds_make_sets(const snw_program *program, uint32_t set_count, const uint32_t *begins,
												 const uint32_t *points, snw_arena *arena);

/* The input of the sets that are posed from here on. No allocation. */
void snw_program_bounds_take(const snw_program_bounds *bounds, const snw_program_input *input,
							 snw_program_bounds_scratch *scratch);
/* The box of one set at the input that was taken. False, and no box, if its dual quaternions may cancel each other. */
bool snw_program_bounds_pose_set(const snw_program_bounds *bounds, const snw_program_input *input,
								 snw_program_bounds_scratch *scratch, uint32_t set, snw_box *box);

#endif
