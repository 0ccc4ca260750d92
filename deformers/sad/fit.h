/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress: its frames (frames.c), its joints and weights (joints.c), their transforms (fit.c), both
 * together (refine.c), what of it
 * stays in the model (model.c), and what there is to say about it (report.c).
 */
#ifndef SINEW_DEFORMERS_SAD_FIT
#define SINEW_DEFORMERS_SAD_FIT

#include "sad/sad.h"

/* Seconds that the parts took. */
typedef struct part_seconds {
	double reading, joints, transforms, refining, measuring;
} part_seconds;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	uint32_t mesh; /* into the character's */
	snw_pool pool;
	uint32_t sequence_count;
	const snw_sequence_view **sequences; /* of this mesh, in the order of the frames below */
	snw_motion motion;                   /* all frames of all sequences */
	snw_influences influences;
	uint32_t *own_slots; /* which slot of a rig each joint is; NULL for proxy joints */
	snw_blend_graph graph;
	int has_graph;
	snw_transforms transforms;
	uint32_t flat_joints;
	double *residuals;       /* [point_count]: root of the mean squared distance over frames, metres */
	double *squares;         /* [frame_count]: squared error of each frame */
	double distortion, erms; /* percent; as in the literature */
	uint32_t refinements;    /* done */
	int stopped;             /* the user ended the refinement: the best so far is kept */
	part_seconds seconds;
} mesh_fit;

double seconds_now(void);

/* Finds the sequences and targets of the mesh and copies their frames; none leaves frame_count 0. Refuses frames that are not
 * finite, and clips whose times do not rise. */
snw_status read_frames(mesh_fit *f);

/* The joints and weights to fit to: proxy joints, or the rig's own. */
snw_status choose_joints(mesh_fit *f);

/* Transforms of all frames, for the joints chosen. */
snw_status fit_transforms(mesh_fit *f);

/* Weights and transforms fitted to each other, where that is asked for. The better of
 * clusters and proxy joints is kept. */
snw_status refine_fit(mesh_fit *f);

/* Residuals, squares, distortion, erms. */
snw_status measure_fit(mesh_fit *f);

/* Adds the mesh to the model: its part and a track for each clip. */
snw_status keep_mesh(const mesh_fit *f, snw_model *model);

/* Lines for the user, and fields. */
void report_mesh(const mesh_fit *f);

#endif
