/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit in progress.
 */
#ifndef SINEW_DEFORMERS_SKIN_WEIGHTS_FIT
#define SINEW_DEFORMERS_SKIN_WEIGHTS_FIT

#include "sinew/kit/numerics/nnls.h"
#include "sinew/report.h"
#include "skin-weights/skin-weights.h"

/* A joint has a bone to each of its children, so several may have one slot. */
typedef struct bone {
	uint32_t slot;
	double ends[2][3]; /* rest space */
} bone;

enum { KEPT = SNK_NNLS_INFLUENCES };

/* The largest weights of a point, the largest first. */
typedef struct influence_set {
	uint32_t count;
	uint32_t slots[KEPT];
	double weights[KEPT];
} influence_set;

/* The connected pieces of a mesh. A point without faces is a piece. */
typedef struct surface_pieces {
	uint32_t count;
	uint32_t *of_point; /* [point_count] */
	uint32_t *offsets;  /* [count + 1], into faces */
	uint32_t *faces;    /* [face_count] */
	double *signs;      /* [count]: -1 for a piece that is inside out, else 1 */
} surface_pieces;

typedef struct weights_fit {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool pool;
	double diagonal;        /* of the largest mesh */
	surface_pieces *pieces; /* [mesh_count] */
	uint32_t bone_count;
	bone *bones;
	uint32_t bound_count, learned_count; /* meshes */
	uint32_t sample_count, morphed_count;
	double share_from, share_to; /* the part of the fit's time for the current mesh */
} weights_fit;

/* Progress when the meshes are bound, after the bones are found. */
static const double meshes_from = 0.2;

/* Progress of the fit at a share of the current mesh's time. */
static inline double progress_at(const weights_fit *f, double done) {
	return f->share_from + (f->share_to - f->share_from) * done;
}

/* The pieces of all meshes. */
snw_status find_pieces(weights_fit *f);

/* bones, of all joints with a slot; needs the pieces. SNW_ERROR_MISSING, with words, where there are none. */
snw_status find_bones(weights_fit *f);

/* Where a joint is, in rest space. */
static inline void place_of(const weights_fit *f, uint32_t joint, double place[3]) {
	for (size_t c = 0; c < 3; c++) {
		place[c] = f->input->character->skeleton->rest_global[12 * (size_t)joint + 4 * c + 3];
	}
}

/* The place of a bone that is nearest to a point. */
void nearest_on_bone(const bone *bone, const double point[3], double nearest[3]);

/* sets [point_count] of a mesh, from heat; the weights of all slots sum to 1 before the smallest are dropped. */
snw_status find_heat_weights(weights_fit *f, uint32_t mesh, influence_set *sets);

#endif
