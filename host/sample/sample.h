/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sample characters made by the program, with a ground truth by formula.
 */
#ifndef SINEW_HOST_SAMPLE_SAMPLE_H
#define SINEW_HOST_SAMPLE_SAMPLE_H

#include "base/error.h"
#include "scene/scene.h"

/* "arm": a smooth arm of about 10,000 points and three joints (shoulder, elbow, wrist), with the clips "bend", "twist" and
 * "both", their targets, and two sculpts. Its ground truth keeps the volume: the tube is swept along a circular arc through
 * the elbow with a constant cross-section, and the twist is spread evenly along the forearm. "small-arm": the same with a
 * quarter of the points; "tiny-arm": with a sixteenth, for what does not depend on how many there are. "bar": a sequence that
 * bends and twists, without a skeleton. "cloth": a hanging sheet in the wind, simulated. "face": 104 shapes of a head, as a set
 * of poses. "tube": two joints that bend and twist to 90°, with targets that keep the tube's cross-section. "dressed": a figure
 * of five meshes with a skeleton, two skins, shapes and a clip, whose sides are not alike. "limbs": 100 meshes, 300 joints and
 * 200 sculpts, to see what many of them cost. "twist-bar", "elbow" and "muscle-arm": three poses to train on and others to test
 * with (limbs.h). SNW_ERROR_MISSING lists the samples. */
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

#endif
