/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A skeleton from motion alone: finds the bones of a mesh animation, their weights and their poses.
 *
 *   1. Rigid parts: clusters of points under rigid motion, of which those that are no bones join others (merge.c), refined to
 *      a linear blend of rigid motions (motion/decompose). Each part is then made one connected piece of the surface, because
 *      parts that are far apart may happen to move alike.
 *   2. The tree: the joint of two parts is the point that both motions move to nearly the same position. Two parts are
 *      connected if they share a border and their joint is nearly fixed.
 *   3. Alternately: rotations of all bones at once, by Gauss-Newton steps on the distance, with bones of constant length; the
 *      positions of the joints, from all frames; the weights, over the bones near each point.
 *
 * After A. Kirk, J. O'Brien and D. Forsyth, Skeletal parameter estimation from optical motion capture data, 2005; S. Schaefer
 * and C. Yuksel, Example-based skeleton extraction, 2007; B. Le and Z. Deng, Robust and accurate skeletal rigging from mesh
 * sequences, 2014; and section 4.1.4 of B. Merry's thesis (Linear skinning on high-level animation space, 2007) for the
 * positions of joints. Departures: the ridge that holds a joint to its border grows with the noise of that joint alone, or,
 * where the number of bones is not given, with what its bones bend; a root above the bones has the motion of the whole body;
 * and what stands still, such as a floor, is no part of the body where that number is not given (still.c).
 *
 * Guided by a drawing, the parts are those around the bones that a person drew, and the tree is the drawing's
 * (parts.c). It is a file or the joints that the character has (drawing.c).
 * Joints are held to where they are drawn by the ridge of that section, 1e-3 in a unit box, and then, as the weights are
 * refined, to where that put them.
 */
#ifndef SINEW_DEFORMERS_MOTION_SKELETON
#define SINEW_DEFORMERS_MOTION_SKELETON

#include "motion/animation.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/report.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { BONES, INFLUENCES, DRAWING, PARAMETER_COUNT };
enum { BONES_AUTO = 0, MOST_BONES = 128 };

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit in progress. All coordinates are relative to the motion's centre, except those of the frames. */

/* A rigid motion, rest → posed: a 3×4 matrix. */
typedef struct rigid {
	double m[12];
} rigid;

/* What moves a point; places behind `count` are not read. */
typedef struct influence_set {
	uint32_t count;
	uint32_t bones[SNK_NNLS_INFLUENCES];
	double weights[SNK_NNLS_INFLUENCES];
} influence_set;

/* The tree of the bones. A bone rotates about its pivot, which stays at one place of its parent. */
typedef struct bone_tree {
	uint32_t *parents;   /* [bone_count]: SNW_NONE at the base */
	uint32_t *order;     /* [bone_count]: parents first */
	double (*pivots)[3]; /* [bone_count]: at rest; of the base: its centre */
	double (*borders)
		[3]; /* [bone_count]: the centroid of the border with the parent; in a drawn tree the pivot as it was found first */
	double *reaches; /* [bone_count]: how far around that border points may follow both */
	double
		*holds; /* [bone_count]: how strongly the pivot is held to the border, relative to the data of a rotation by one radian
						about each axis */
	double *spreads; /* [bone_count]: how far the pivot moves in the parent while both move freely, root mean square, metres */
} bone_tree;

/* A skeleton that a person drew. A bone has a line to each of the joints where it ends. */
typedef struct drawing {
	uint32_t bone_count;   /* 0: there is none */
	uint32_t *parents;     /* [bone_count]: SNW_NONE for one */
	double (*begins)[3];   /* [bone_count]: where it begins at rest */
	const char **names;    /* [bone_count]: NULL for a bone without a name */
	uint32_t line_count;   /* at least one for each bone */
	uint32_t *line_bones;  /* [line_count], ascending */
	double (*lines)[2][3]; /* [line_count]: from where the bone begins to where it ends */
	/* Joints at which a bone ends and none begins, if the skeleton is to have them. */
	uint32_t end_count;
	uint32_t *end_lines;    /* [end_count]: the line that ends there */
	const char **end_names; /* [end_count] */
} drawing;

/* The joint that holds what stands still. */
static const char still_name[] = "still";

/* Points that stand still in all frames and are no part of the body, such as a floor. */
typedef struct still_points {
	uint32_t count;
	uint32_t
		*places; /* [points of all parts]: where each is in the body; SNW_NONE for one that stands still; NULL: none does */
	double middle[3]; /* at rest, in the mesh's coordinates */
	rigid motion;     /* rest → all frames, in the mesh's coordinates */
} still_points;

/* Sums over the points, from which rotations, their errors and pivots follow without the points. */
typedef struct blend_moments {
	double (*rest)[16];  /* [bone][bone]: Σ_i w_ij w_ik v̂ v̂ᵀ */
	double (*posed)[12]; /* [frame][bone]: Σ_i w_ij v' v̂ᵀ */
	double *squares;     /* [frame]: Σ_i |v'|² */
} blend_moments;

typedef struct skeleton_fit {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool pool;
	const snw_mesh_view *body; /* all meshes that move, as one, without what stands still */
	uint32_t part_count;
	uint32_t *part_meshes; /* [part_count]: ascending */
	uint32_t *part_firsts; /* [part_count + 1]: the first of their points in the body, before it lost what stands still */
	still_points still;
	snk_animations animations;
	snk_motion motion;
	const float **frames; /* [frame_count]: points as they come */
	int is_auto;         /* which bones there are is neither drawn nor a given number: they are where a person would put them */
	double diagonal;     /* of the rest bounding box */
	snk_adjacency rings; /* neighbours ascending */
	double *areas;       /* [point_count]: what a point counts for: its share of its faces, or very little where it has none */
	uint32_t frame_count, bone_count;
	uint32_t *labels;       /* [point_count]: the bone that a point belongs to most */
	influence_set *weights; /* [point_count] */
	influence_set *next;    /* [point_count]: those of the next round */
	double *bends;          /* [point_count]: what the parts leave of each point as a blend: mean square over the frames */
	rigid *parts;           /* [frame][bone]: each bone by itself */
	rigid *motions;         /* [frame][bone]: as the tree allows */
	rigid *bodies;          /* [frame]: of all points together */
	double *squares;        /* [frame]: the squared error of `motions`, over all points */
	bone_tree tree;
	drawing drawing;
	blend_moments moments;
	struct {
		double parts, tree, rotations, pivots, weights;
	} seconds;
	double parts_rms; /* metres: what the parts leave before they are connected */
	double done;      /* the last progress */
	const char *step;
	int stopped;
} skeleton_fit;

/* Where a point of a frame is. */
static inline void frame_point(const skeleton_fit *f, uint32_t frame, uint32_t point, double dest[3]) {
	const float *from = f->frames[frame] + 3 * (size_t)point;
	for (int c = 0; c < 3; c++) {
		dest[c] = (double)from[c] - f->motion.centre[c];
	}
}

/* The values of all meshes' fields of that name over their points, 0 on a mesh without one; *mask is NULL if no mesh has
 * one. */
snw_status body_mask(skeleton_fit *f, const char *name, const double **mask);

/* Whether to go on; a stop is remembered. */
int go_on(skeleton_fit *f, double done, const char *step);

/* The same within a step. */
int may_go_on(skeleton_fit *f);

/* snk_ranges_run in slabs, after each of which a stop is possible: SNW_CANCELLED. */
snw_status run_in_slabs(skeleton_fit *f, uint32_t count, uint32_t grain, snk_range *range, void *argument);

/* Takes what stands still out of the body: body, frames, motion, still. SNW_CANCELLED after a stop. */
snw_status leave_out_still(skeleton_fit *f);

/* The drawing that the parameters name, or that the character's joints are, if any; needs the motion. Errors, with words:
 * SNW_ERROR_MISSING for a file that cannot be opened, SNW_ERROR_DATA for what is no drawing of a skeleton. */
snw_status read_drawing(skeleton_fit *f);

/* Rigid parts around the bones of the drawing: bone_count, labels, weights, parts. SNW_CANCELLED after a stop. */
snw_status follow_drawing(skeleton_fit *f);

/* Memory for labels and weights; for motions of bone_count bones; for their sums. */
snw_status open_moments(skeleton_fit *f);

/* Rigid parts: bone_count, labels, weights, parts. SNW_CANCELLED after a stop. */
snw_status find_parts(skeleton_fit *f);

/* From bone_count labels to as many as wanted, by uniting those whose union adds least to the error: bone_count, labels.
 * BONES_AUTO: until all that are left are bones; SNW_ERROR_DATA, with words, where there are none. */
snw_status merge_labels(skeleton_fit *f, uint32_t wanted);

/* Makes each label one connected piece of the surface, where other labels are around the pieces that go. */
snw_status connect_labels(skeleton_fit *f);

/* tree, from labels and parts. */
snw_status find_tree(skeleton_fit *f);

/* The place near `anchor` that a body's motions move least. Returns how far, root mean square. */
double find_fixed_place(uint32_t count, const rigid *motions, const double anchor[3], double place[3]);

/* moments, from weights. */
snw_status gather_moments(skeleton_fit *f);

/* The nearest rigid motion (W. Kabsch 1976) of points with these sums: Σ v̂ v̂ᵀ, Σ v' v̂ᵀ. */
void nearest_rigid(const double rest[16], const double posed[12], rigid *dest);

/* dest += T M. */
void add_moment(const rigid *t, const double moment[16], double dest[12]);

/* motions as far as the tree allows the parts; bodies. */
void start_motions(skeleton_fit *f);

/* Rotations of all bones and the place of the base in every frame: motions, squares. */
snw_status fit_rotations(skeleton_fit *f);

/* Better pivots for the rotations as they are. */
snw_status fit_pivots(skeleton_fit *f);

/* Proposes skeleton, weights and tracks. */
snw_status propose(skeleton_fit *f);

#endif
