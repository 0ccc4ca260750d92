/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments that operators of several nouns take.
 */
#ifndef SINEW_HOST_OPERATORS_ARGUMENTS_H
#define SINEW_HOST_OPERATORS_ARGUMENTS_H

#include <math.h>

#include "mesh/mesh.h"
#include "operators/operator.h"
#include "scene/scene.h"

/* What edits do that change how points move: layers become stale, and plug-ins are asked. */
enum { CHANGES = SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS };

#define SNW_SWITCH_ARGUMENT(name, help)                                                                                        \
	{ name, SNW_ARGUMENT_SWITCH, NULL, help, .flags = 0 }

#define SNW_MESH_ARGUMENT                                                                                                      \
	{                                                                                                                          \
		"mesh", SNW_ARGUMENT_THING, "MESH", "the mesh, if there are several",                                                  \
			.flags = SNW_ARGUMENT_ONLY | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_MESH                                            \
	}

#define SNW_LOCK_ARGUMENT                                                                                                      \
	{                                                                                                                          \
		"lock", SNW_ARGUMENT_THING, "JOINT", "a joint that keeps its weights",                                                 \
			.flags = SNW_ARGUMENT_MANY | SNW_ARGUMENT_LOCKED, .noun = SNW_NOUN_JOINT                                           \
	}

/* The plane of symmetry. */
#define SNW_PLANE_ARGUMENTS                                                                                                    \
	{"axis", SNW_ARGUMENT_CHOICE, "x|y|z", "the axis perpendicular to the plane", .choices = "x|y|z"}, {                       \
		"plane", SNW_ARGUMENT_NUMBER, "METRES",                                                                                \
			"where the plane cuts the axis (default: where the mesh is symmetric; y, z: 0)", .least = -1e6, .most = 1e6,       \
																							 .initial = SNW_NO_DEFAULT         \
	}

/* Of the process that reads a file. */
#define SNW_LIMIT_ARGUMENTS                                                                                                    \
	{"memory",                                                                                                                 \
	 SNW_ARGUMENT_NUMBER,                                                                                                      \
	 "GIB",                                                                                                                    \
	 "memory limit of the process that reads the file (default: 8)",                                                           \
	 .least = 0.05,                                                                                                            \
	 .most = 1024,                                                                                                             \
	 .initial = SNW_NO_DEFAULT},                                                                                               \
	{                                                                                                                          \
		"seconds", SNW_ARGUMENT_NUMBER, "N", "time limit of that process (default: 3600)", .least = 0.01, .most = 1e6,         \
																						   .initial = SNW_NO_DEFAULT           \
	}
/* Of the process that fits. */
#define SNW_FIT_LIMIT_ARGUMENTS                                                                                                \
	{"memory",     SNW_ARGUMENT_NUMBER,      "GIB", "memory limit of the worker, which fits (default: 8)", .least = 0.05,      \
	 .most = 1024, .initial = SNW_NO_DEFAULT},                                                                                 \
	{                                                                                                                          \
		"seconds", SNW_ARGUMENT_NUMBER, "N",                                                                                   \
			"stop after N seconds of work and keep the best so far, if the method has one (default: 3600); load from other "   \
			"programs does not count",                                                                                         \
			.least = 0.01, .most = 1e6, .initial = SNW_NO_DEFAULT                                                              \
	}

/* Those of the context, but for what these arguments say. */
snw_worker_limits snw_operation_limits(const snw_operation *operation);

/* The clips of --clip; without any, all that move joints. */
const uint32_t *snw_operation_clips(const snw_operation *operation, uint32_t *count);

/* What a fit reads, which its layer keeps. */
#define SNW_SAMPLES_ARGUMENTS                                                                                                  \
	{"clip", SNW_ARGUMENT_TEXT, "CLIP,…",                                                                                      \
	 "fit only to the targets and sequences of these clips, and hold out the others; 'examples' means the sculpts; "           \
	 "the layer keeps the choice for later fits; 'all' resets it",                                                             \
	 .flags = SNW_ARGUMENT_MANY},                                                                                              \
	{                                                                                                                          \
		"frames", SNW_ARGUMENT_TEXT, "FRAMES",                                                                                 \
			"which frames of each clip to fit to: all, every:N (every N-th), or cover:N (the N that cover its poses best); "   \
			"the layer keeps the choice for later fits",                                                                       \
			.flags = 0                                                                                                         \
	}

/* The samples that these arguments select, for a layer of that name, which may not exist yet: what is not given is as in the
 * layer. "" for all; NULL if nothing is given. */
snw_status snw_operation_samples(const snw_operation *operation, const char *layer, const char **samples, snw_error *error);

/* The loaded method that an argument names. */
snw_status snw_operation_method(const snw_operation *operation, const char *name, const snw_deformer **deformer,
								snw_error *error);
/* The settings of --set, for a fit. */
snw_status snw_operation_fit_settings(const snw_operation *operation, const snw_descriptor *descriptor,
									  snw_fit_request *request, snw_error *error);
/* Fits to the project at `path` in the worker process; the outcome goes into operation->work. */
snw_status snw_operation_fit(const snw_operation *operation, const char *path, const snw_fit_request *request,
							 snw_error *error);

/* A place in a list: given, or counted from the present one. */
#define SNW_PLACE_ARGUMENTS(first)                                                                                             \
	{                                                                                                                          \
		"to",                                                                                                                  \
		SNW_ARGUMENT_COUNT,                                                                                                    \
		"PLACE",                                                                                                               \
		"its place; 0 is " first,                                                                                              \
		.flags = SNW_ARGUMENT_BARE,                                                                                            \
		.least = 0,                                                                                                            \
		.most = 1e6,                                                                                                           \
		.initial = SNW_NO_DEFAULT,                                                                                             \
		.not_with = "by"},                                                                                                     \
	{                                                                                                                          \
		"by", SNW_ARGUMENT_COUNT, "N", "move it by N places, as far as there are, towards " first " if N is below 0",          \
			.least = -1e6, .most = 1e6, .initial = SNW_NO_DEFAULT                                                              \
	}

/* The place that these arguments say, of `count`, for what is at `present`. */
snw_status snw_operation_place(const snw_operation *operation, uint32_t present, uint32_t count, uint32_t *place,
							   snw_error *error);

/* The plane that these arguments say. `found` is the plane of symmetry across x, which they replace. */
snw_mirror_plane snw_operation_plane(const snw_operation *operation, snw_mirror_plane found);

/* ---- nouns --------------------------------------------------------------------------------------------------------------- */

/* The operators of each noun. */

extern const snw_operator_noun snw_operators_bake, snw_operators_clip, snw_operators_example, snw_operators_fit,
	snw_operators_group, snw_operators_joint, snw_operators_mesh, snw_operators_pose, snw_operators_shape, snw_operators_stack,
	snw_operators_target, snw_operators_track, snw_operators_weights, snw_operators_skeleton, snw_operators_bind,
	snw_operators_lod, snw_operators_unwrap, snw_operators_normal_map;

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

/* Functions of the rows of examples, which are in several files. Private to host/operators. */

/* Of an example in groups. */
snw_operator_function snw_example_join, snw_example_move, snw_example_leave, snw_example_mask, snw_example_place,
	snw_example_drive;
/* Of examples made from what is elsewhere, and from others. */
snw_operator_function snw_example_folder, snw_example_transfer_from, snw_example_between, snw_example_mirror, snw_example_split,
	snw_example_merge, snw_example_carry;
/* Of contact. */
snw_operator_function snw_example_push_out;

/* The argument `example`. */
const snw_example *snw_example_given(const snw_operation *o);

/* The sculpt in the argument `file`, as points of a mesh. */
snw_status snw_example_read_sculpt(const snw_operation *o, uint32_t mesh, const double **points, snw_error *error);

/* Writes a group with an example at a place among its members, under a mask (0: none). A new example has an id and no index. */
snw_status snw_example_put_member(const snw_operation *o, const snw_group *group, uint32_t example, int64_t id, uint32_t place,
								  int64_t mask, snw_error *error);

/* ---- kept textures ------------------------------------------------------------------------------------------------------- */

/* What becomes of the textures that glTF alone says of a material (import/gltf/gltf.c) when its UVs or its pictures change. */

/* Whether a picture is one of those that a material keeps for glTF alone. */
bool snw_material_keeps_image(const snw_material *material, uint32_t image);
/* Leaves out what is kept of the normal map: its place, its scale and its sampler. */
void snw_material_drop_normal_map(snw_material *material, snw_arena *arena);

#endif
