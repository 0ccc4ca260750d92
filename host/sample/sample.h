/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sample characters made by the program, with a ground truth by formula.
 */
#ifndef SINEW_HOST_SAMPLE_SAMPLE_H
#define SINEW_HOST_SAMPLE_SAMPLE_H

#include "base/error.h"
#include "mesh/mesh.h"
#include "program/packed.h"
#include "scene/scene.h"

/* "arm": a smooth arm of about 10,000 points and three joints (shoulder, elbow, wrist), with the clips "bend", "twist" and
 * "both", their targets, and two sculpts. Its ground truth keeps the volume: the tube is swept along a circular arc through
 * the elbow with a constant cross-section, and the twist is spread evenly along the forearm. "small-arm": the same with a
 * quarter of the points; "tiny-arm": with a sixteenth, for what does not depend on how many there are. "bar": a sequence that
 * bends and twists, without a skeleton. "cloth": a hanging sheet in the wind, simulated. "face": 104 shapes of a head, as a set
 * of poses. "tube": two joints that bend and twist to 90°, with targets that keep the tube's cross-section. "dressed": a figure
 * of five meshes with a skeleton, two skins, shapes and a clip, whose sides are not alike. "limbs": 100 meshes, 300 joints and
 * 200 sculpts, to see what many of them cost. "twist-bar", "elbow" and "muscle-arm": three poses to train on and others to test
 * with (below). SNW_ERROR_MISSING lists the samples. */
snw_status snw_sample_make(const char *name, snw_scene **scene, snw_error *error);

/* ---- makers -------------------------------------------------------------------------------------------------------------- */

/* Functions that fill an empty scene, one for each sample. */

#define SNW_SAMPLE_FRAMES_PER_SECOND 24.0 /* of all clips */

/* The arm of so many rings of points, and so many points a ring. */
snw_status snw_sample_make_arm_of(snw_scene *scene, uint32_t rings, uint32_t sides, snw_error *error);
snw_status snw_sample_make_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_small_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_tiny_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_bar(snw_scene *scene, snw_error *error);

snw_status snw_sample_make_tube(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_twist_bar(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_elbow(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_muscle_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_dressed(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_limbs(snw_scene *scene, snw_error *error);

/* The quads of a sheet: a grid of points, row by row. */

/* Fills faces and UVs of the mesh, in `arena`. Point row · columns + column is at the column and row; there are at least two of
 * each. */
void snw_grid_faces(uint32_t columns, uint32_t rows, snw_arena *arena, snw_mesh *mesh);

/* ---- tube ---------------------------------------------------------------------------------------------------------------- */

/* A closed tube along x with a variable radius, in quads only: rings, and at each end a square patch that is mapped onto a
 * dome. */

typedef struct snw_tube {
	double begin, end;          /* x of the first and last ring, metres */
	double dome;                /* how far the rounded ends reach beyond, as a multiple of the radius there */
	uint32_t rings;             /* at least 2 */
	uint32_t sides;             /* around each ring, a multiple of 4 */
	double (*radius)(double x); /* metres; level at both ends, or the domes show a crease */
} snw_tube;

/* Fills points, faces and UVs of the mesh, in `arena`. Faces wind counterclockwise seen from outside. */
void snw_tube_build(const snw_tube *tube, snw_arena *arena, snw_mesh *mesh);

/* ---- rig ----------------------------------------------------------------------------------------------------------------- */

/* Rigs of characters made by code: joints that rest without rotation, a slot for each, and weights by a function of the rest
 * point. */

typedef struct snw_rig_joint {
	const char *name;
	uint32_t parent; /* SNW_NONE for a root */
	double translation[3];
} snw_rig_joint;

/* Fills the scene's skeleton and slots. The names are borrowed. */
snw_status snw_rig_make(snw_scene *scene, const snw_rig_joint *joints, uint32_t joint_count, snw_error *error);

/* Writes the weight of each slot for a point in rest space. */
typedef void snw_rig_weights(const double rest[3], double *weights);

/* Fills the mesh's influences with the weights above 0. */
void snw_rig_skin(snw_mesh *mesh, uint32_t slot_count, snw_rig_weights *weights, snw_arena *arena);

/* ---- arm ----------------------------------------------------------------------------------------------------------------- */

/* The arm: its shape at rest, and what its skin looks like when it bends. */

/* What the samples "arm" and "muscle-arm" share: shape, joints and weights. */

enum { SNW_ARM_SHOULDER_JOINT, SNW_ARM_ELBOW_JOINT, SNW_ARM_WRIST_JOINT, SNW_ARM_JOINTS };

/* The mesh "arm" with its weights. */
void snw_arm_make_mesh(uint32_t rings, uint32_t sides, snw_arena *arena, snw_mesh *mesh);
/* The rig, whose joints are on the shape's axis but for the elbow, whose pivot is beside it. */
snw_status snw_arm_make_rig(snw_scene *scene, snw_error *error);

/* The radius at a distance from the shoulder, metres: biceps, forearm, wrist, hand. */
double snw_arm_radius(double x);

/* exp(−((x − centre) / width)²). */
double snw_bump(double x, double centre, double width);

/* The ground truth of the sample arm, by a formula: a tube swept along a circular arc through the elbow with a constant
 * cross-section, and the wrist's twist spread evenly along the forearm. The arc is as long as the part that it bends, so the
 * volume is that of the rest. */

/* The positions of the joints along x, the axis of the tube, metres. The shoulder is at 0. */
#define SNW_ARM_ELBOW 0.30
#define SNW_ARM_WRIST 0.57

/* Maps a rest point to its position when the elbow bends about z by `bend` and the wrist twists about x by `twist`. */
void snw_arm_ground_truth(double bend, double twist, const double point_rest[3], double point_posed[3]);

/* ---- limbs --------------------------------------------------------------------------------------------------------------- */

/* A character of many parts, for benchmarks and tests of what grows with their number. */

typedef struct snw_limbs_size {
	uint32_t points; /* about, of all meshes together */
	uint32_t meshes; /* at least 1 */
	uint32_t joints; /* at least 1 more than there are meshes */
	uint32_t examples;
} snw_limbs_size;

/* Fills an empty scene with limbs side by side, each a mesh of its own: "limb 1", "limb 2", …. A root joint has a chain of
 * joints for each of them. The rest, a pose that bends all joints ("bent"), a pose for each example, with a bulge where a joint
 * bends, and a group for each joint that drives examples; the baseline's layer. The limbs fill the same square, however many
 * they are. */
snw_status snw_limbs_make(snw_scene *scene, const snw_limbs_size *size, snw_error *error);

/* ---- limb ---------------------------------------------------------------------------------------------------------------- */

/* A limb for benchmarks and tests of sculpting: any number of points, symmetric about x = 0, two joints and a linear blend. */

/* Mesh "limb", four metres along z, open at its ends, of nearly square quads; joints "upper" and "lower", which bends at the
 * origin; poses "rest" and "bent"; the baseline's layer; no example. It has about `point_count` points. */
snw_scene *snw_limb_make(uint32_t point_count);

/* The mirrored point of each point, [point_count]. */
const uint32_t *snw_limb_partners(const snw_mesh *mesh, snw_arena *arena);

/* ---- trained limbs ------------------------------------------------------------------------------------------------------- */

/* The ground truth of the samples that three poses train, at an angle in radians: `posed` is where a rest point goes. */

/* A section of the bar twists by its share of the bar's length. */
void snw_twist_bar_truth(double angle, const double rest[3], double posed[3]);
/* A section of the forearm twists by its share of the way from elbow to wrist. */
void snw_elbow_truth(double angle, const double rest[3], double posed[3]);
/* The elbow bends, with the volume of the sample arm, and the muscle on the inside of the upper arm grows with the angle. */
void snw_muscle_arm_truth(double angle, const double rest[3], double posed[3]);

/* ---- trial characters ---------------------------------------------------------------------------------------------------- */

/* A small character for the checks of plug-ins, with everything that a fit may ask for. */

/* Two meshes: "tube", which bends at "elbow" and twists at "wrist", with a morph target and a painted field "mask"; and
 * "bead" on the wrist. Three joints; poses "rest", "bent", "twisted", "both"; examples "bent" and "twisted" of the tube with
 * a bulge, each in its own group; a clip "move" with its target; a sequence "swing". No layers. Ends the process if it is
 * inconsistent, which would be a bug of this program. */
snw_scene *snw_trial_character(void);

/* Only the tube, for methods that make a skin of a mesh animation: the sequence "swing" with its clip, no skeleton, no skin.
 * Poses "rest", outside any clip, and three moments of the clip, one of them between frames and one past its end. */
snw_scene *snw_trial_sequence(void);

/* How another one differs. The joints of a sequence, which has none, and its meshes, of which it has one, do not. */
typedef enum snw_trial_shape {
	SNW_TRIAL_USUAL,
	SNW_TRIAL_FLAT, /* sheets, in one plane at rest, in place of the tube and the bead */
	SNW_TRIAL_MORE_POINTS,
	SNW_TRIAL_FEWER_POINTS,
	SNW_TRIAL_MORE_JOINTS,  /* a joint "hand" beyond the wrist */
	SNW_TRIAL_FEWER_JOINTS, /* no wrist: what twists is the elbow */
	SNW_TRIAL_MORE_MESHES,  /* a second bead, where the first one is */
	SNW_TRIAL_FEWER_MESHES, /* no bead */
} snw_trial_shape;

snw_scene *snw_trial_character_like(snw_trial_shape shape);
snw_scene *snw_trial_sequence_like(snw_trial_shape shape);

/* ---- synthetic programs -------------------------------------------------------------------------------------------------- */

/* Skin programs for benchmarks. */

typedef struct snw_synthetic_program {
	snw_program program;
	snw_program_input input;
	snw_packed_program *packed;
	float *matrices;         /* in floats: [slots][16] by columns */
	float *dual_quaternions; /* [slots][8] */
	float *points;           /* out */
	snw_mesh mesh;           /* with faces */
	float *normals;          /* out */
	snw_normal_plan *plan;   /* NULL until snw_synthetic_program_plan_normals */
} snw_synthetic_program;

/* The slots of the points: those of their region, as in characters (runs of 8 to 40 points share a set, and about 200 points in
 * 100,000 have the same one), or random ones, so that points hardly ever share a set. */
typedef enum snw_slot_order { SNW_SLOTS_SHARED, SNW_SLOTS_RANDOM } snw_slot_order;

snw_synthetic_program snw_synthetic_program_make(uint32_t point_count, uint32_t slot_count, int32_t blend,
												 uint32_t influence_count, snw_slot_order order, uint32_t shape_count,
												 snw_arena *arena);
/* Frees what is not in the arena. */
void snw_synthetic_program_destroy(snw_synthetic_program *subject);
/* Prepares it for normals from faces. */
void snw_synthetic_program_plan_normals(snw_synthetic_program *subject);

#endif
