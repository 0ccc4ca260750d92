/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights for a skeleton and meshes without a skin.
 *
 *   1. Heat (I. Baran, J. Popović, Automatic rigging and animation of 3D characters, 2007, section 4): the weights of a bone
 *      are the equilibrium of heat on the surface, with the bone at 1 and the others at 0:
 *
 *          (L + A H) w_j = A H p_j,   H_i = c / d_i²
 *
 *      L is the cotangent Laplacian, A the areas of points, d_i the distance of point i to its nearest bone in sight, and p_j
 *      is 1 where that is bone j. Equally near bones share p.
 *   2. Where meshes and poses are known (targets, examples, sequences with poses): non-negative least squares at each point
 *      over the bones that heat gives it, with a ridge toward the heat's weights.
 *
 * Departures, all for skin that is thick compared with the bones in it:
 *   - A bone competes for a point by its distance, plus a part of the way that the point is on the wrong side of the planes
 *     through joints that separate bones, over a power of the bone's thickness. So a trunk reaches as far as it is thick. Bones
 *     that are about equally near share the point.
 *   - The planes are a little below the joints, where skin folds, and at a right angle to the way that the limb takes there as
 *     far as it is thick, not to the bones at the joint, which may zigzag in a thick body.
 *   - A limb that goes on is a trunk, as far from its bones as the surface beside them. What branches off has no claim in it: a
 *     collarbone begins where it leaves the chest. Where branches of one trunk share a point, as two legs do, the trunk gets
 *     most of what they share.
 *   - Heat falls with a lower power of the distance than the second.
 *   - A joint without children heats more strongly, because nothing beyond it moves: a head is rigid.
 *   - The weights are raised to a high power and normalised, so that heat decides little more than the borders, and then evened
 *     out by a step of diffusion, wider where the body is thick: (A / t + L) w' = A w / t.
 *
 * A bone is in sight of a point if it is behind the surface there, by a wide margin, and not much farther than the nearest
 * bone, which needs no rays; a piece of surface that sees no bone takes the nearest ones. Negative cotangent weights count as
 * 0, so that all weights are from 0 to 1. A joint without children gets a bone that goes on as its parent's does; a bone that
 * is outside all meshes, as that of a root on the ground, gets no weights. A connected piece whose volume is negative is inside
 * out, and its normals are taken the other way.
 *
 * The constants (heat.c, limbs.c) were chosen on a human, for the least error of linear blend. The rules
 * were tried on seven other rigged characters too; docs/skeletons.md says with which result.
 */
#ifndef SINEW_DEFORMERS_SKIN_WEIGHTS
#define SINEW_DEFORMERS_SKIN_WEIGHTS

#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/report.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { SOURCE, INFLUENCES, SPREAD, RIDGE, PARAMETER_COUNT };
enum { SOURCE_AUTO, SOURCE_HEAT };

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit in progress. */

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

/* ---- heat ---------------------------------------------------------------------------------------------------------------- */

/* The heat of one mesh: where bones meet and branch off (limbs.c), which of them heat a point, and where the heat goes
 * (heat.c). */

/* The slots of the bones that heat a point, with shares that sum to 1. */
enum { MOST_NEAR = 6 };
typedef struct near_slots {
	uint32_t count;
	uint32_t slots[MOST_NEAR];
	double shares[MOST_NEAR];
} near_slots;

/* A bone that a point is beside. */
typedef struct beside {
	uint32_t bone;
	double distance;
} beside;

/* The plane through a joint that separates the bone above it from those below, moved toward what is below. */
typedef struct joint_plane {
	double normal[3]; /* toward what is below the joint; 0 for a joint without anything above */
	double offset;
	int is_leaf;  /* it has no children */
	int has_bone; /* it moves points */
} joint_plane;

/* A joint at which a limb goes on and others may branch off, as a neck goes on and collarbones branch off. */
typedef struct trunk {
	uint32_t next;     /* the child with which it goes on; SNW_NONE where none stands out */
	uint32_t bones[2]; /* from the joint to that child, and from the parent to the joint; SNW_NONE for none */
	/* How far the surface beside its bones is at most; 0 where nothing branches off or no point is beside them. */
	double radius;
} trunk;

typedef struct heat {
	const weights_fit *f;
	const snw_mesh_view *mesh;
	const surface_pieces *pieces;
	snw_pool pool;
	snk_faces triangles;
	snk_adjacency edges;
	double *conductances; /* beside edges.neighbours */
	double *areas;        /* [point_count] */
	double *normals;      /* [point_count][3]: outward */
	/* What this mesh says of the bones. */
	double *thicknesses; /* [bone_count] */
	double usual_thickness;
	double *farthest;    /* [bone_count]: the distance of the farthest point beside it; 0 where the thickness is not measured */
	trunk *trunks;       /* [joint_count] */
	joint_plane *planes; /* [joint_count] */
	beside *beside;      /* [point_count] */
	/* What heats the points. */
	double *sources;            /* [point_count]: A H; 0 for a point that sees no bone */
	near_slots *near;           /* [point_count] */
	double *smoothing;          /* [point_count]: the area over which weights are evened out, in squared metres */
	double *right_sides;        /* [BATCH][point_count] */
	influence_set *sets;        /* [point_count] */
	const influence_set *sharp; /* [point_count]: before they are evened out */
	const double *held;         /* [point_count]: how strongly evening out holds them */
} heat;

/* trunks; needs farthest. */
void find_trunks(const heat *h);

/* How deep a point is in the trunk that a joint branches off; not above 0 outside of it, and for a joint that branches off
 * none. */
double depth_in_trunk(const heat *h, uint32_t joint, const double point[3]);

/* The radius of the trunk whose bone this is and that goes on with it; 0 for any other bone. */
double trunk_radius(const heat *h, uint32_t number);

/* What joints that branch off one trunk share at a point goes to the trunk: between two legs is the pelvis. The more equal the
 * shares, the more. */
void give_to_trunk(const heat *h, influence_set *set);

/* Adds a weight to a set, unless it is too small. */
void keep_weight(influence_set *set, uint32_t slot, double weight);

/* planes; needs thicknesses and trunks. */
void find_joint_planes(const heat *h);

/* How far a point is on the wrong side of the planes around a bone: beyond one of its joint's children, or before the joint
 * itself where there is a bone before it. A joint without children may take what is before it, as a head takes the chin. */
double distance_behind_planes(const heat *h, const bone *b, const double point[3]);

/* The joint of a bone. */
static inline uint32_t joint_of(const heat *h, uint32_t number) {
	return h->f->input->character->slot_joints[h->f->bones[number].slot];
}

#endif
