/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments that operators of several nouns take.
 */
#ifndef SINEW_HOST_OPERATORS_ARGUMENTS_H
#define SINEW_HOST_OPERATORS_ARGUMENTS_H

#include <math.h>

#include "mesh/mirror/mirror.h"
#include "operators/operator.h"

#define SNW_SWITCH_ARGUMENT(name, help)                                                                                        \
	{ name, SNW_ARGUMENT_SWITCH, NULL, help, .flags = 0 }

#define SNW_MESH_ARGUMENT                                                                                                      \
	{                                                                                                                          \
		"mesh", SNW_ARGUMENT_THING, "MESH", "the mesh, if there are several",                                                  \
			.flags = SNW_ARGUMENT_ONLY | SNW_ARGUMENT_CHOSEN, .was = "on", .noun = SNW_NOUN_MESH                               \
	}

#define SNW_LOCK_ARGUMENT                                                                                                      \
	{                                                                                                                          \
		"lock", SNW_ARGUMENT_THING, "JOINT", "a joint that keeps its weights",                                                 \
			.flags = SNW_ARGUMENT_MANY | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_JOINT                                           \
	}

/* The plane of symmetry. */
#define SNW_PLANE_ARGUMENTS                                                                                                    \
	{"axis", SNW_ARGUMENT_CHOICE, "x|y|z", "the axis perpendicular to the plane", .choices = "x|y|z"}, {                       \
		"plane", SNW_ARGUMENT_NUMBER, "METRES",                                                                                \
			"where the plane cuts the axis (default: where the mesh is symmetric; y, z: 0)", .least = -1e6, .most = 1e6,       \
																							 .initial = SNW_NO_DEFAULT         \
	}

/* The plane that these arguments say. `found` is the plane of symmetry across x, which they replace. */
snw_mirror_plane snw_operation_plane(const snw_operation *operation, snw_mirror_plane found);

#endif
