/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress: its frames (frames.c), its joints and weights (joints.c), their transforms (fit.c), both
 * together (refine.c), how near they come (measure.c), normals
 * (normals.c), what of it
 * stays in the model (model.c), and what there is to say about it (report.c).
 */
#ifndef SINEW_DEFORMERS_SAD_FIT
#define SINEW_DEFORMERS_SAD_FIT

#include "math/eigen_details.h"
#include "sad/sad.h"

/* Seconds that the parts took. */
typedef struct part_seconds {
	double reading, joints, transforms, steps, refining, details, normals, measuring;
} part_seconds;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	uint32_t mesh;  /* into the character's */
	snw_pool pool;  /* frames */
	snw_pool found; /* what the fit for one number of joints found */
	uint32_t sequence_count;
	const snw_sequence_view **sequences; /* of this mesh, in the order of the frames below */
	snw_motion motion;                   /* all frames of all sequences */
	snw_influences influences;
	snw_blend_graph graph;
	int has_graph;
	snw_transforms transforms;
	snw_eigen_details details;
	double *normals_rest;                /* [point_count][3], unit; NULL without normals */
	snw_lanes *normal_values;            /* [block_count][joint_count][9], linear maps, or [4], turns */
	uint32_t *ring_offsets, *ring_faces; /* the faces around each point */
	snw_eigen_details normal_details;
	double normal_angle; /* root of the mean squared angle that is left, radians; −1 without normals */
	uint32_t flat_joints;
	double spread;           /* Σ |v' − its mean over frames|²; −1 before it is known */
	double *residuals;       /* [point_count]: root of the mean squared distance over frames, metres */
	double *squares;         /* [frame_count]: squared error of each frame */
	double distortion, erms; /* percent; as in the literature */
	uint32_t refinements;    /* done */
	int stopped;             /* the user ended the refinement: the best so far is kept */
	int in_a_hurry;          /* the user ended another mesh's: no refinement, and no end before this one is fitted */
	part_seconds seconds;
} mesh_fit;

double seconds_now(void);

/* Finds the sequences and targets of the mesh and copies their frames; none leaves frame_count 0. Refuses frames that are not
 * finite, and clips whose times do not rise. */
snw_status read_frames(mesh_fit *f);

/* The joints and weights to fit to: proxy joints, or the rig's own. */
snw_status choose_joints(mesh_fit *f, uint32_t joint_count);

/* How many joints have points that leave their motion open, over the graph as it is. */
snw_status count_flat_joints(mesh_fit *f);

/* Whether the mesh has joints and weights of a rig. */
int has_rig(const mesh_fit *f);

/* Transforms of all frames, for the joints chosen. */
snw_status fit_transforms(mesh_fit *f);

/* Weights and transforms fitted to each other, where that is asked for. The better of
 * clusters and proxy joints is kept. */
snw_status refine_fit(mesh_fit *f);

/* Eigen-displacements, as many as asked for. */
snw_status find_details(mesh_fit *f);

/* Transforms of normals, where they are asked for and there are faces, and their eigen-displacements. */
snw_status fit_normals(mesh_fit *f);

/* The faces around points, and the normals of the rest. */
snw_status find_rings(mesh_fit *f);

/* normal_details.c: eigen-displacements of the normals, as many as asked for, and what angle is left. */
snw_status find_normal_details(mesh_fit *f);

/* Joints, weights, transforms and displacements for one number of proxy joints (0: the rig's own), then measured. What an earlier
 * call found is dropped. */
snw_status fit_joints(mesh_fit *f, uint32_t joint_count);

/* Residuals, squares, distortion, erms. */
snw_status measure_fit(mesh_fit *f);

/* Adds the mesh to the model: its part and a track for each clip. */
snw_status keep_mesh(const mesh_fit *f, snw_model *model);

/* Lines for the user, and the fields of the mesh. */
void report_mesh(const mesh_fit *f);

/* The field of all frames: root of the mean squared distance in each, metres. */
void propose_frame_errors(const snw_host *host, uint32_t count, const double *errors);

#endif
