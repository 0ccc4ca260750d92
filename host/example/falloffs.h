/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Falloffs: how the influence of a group's examples changes with the pose, as settings of the corrective under a name. Some
 * come with the method (sinew/group_falloffs.h); people add their own, in a text file: "NAME KEY=VALUE KEY=VALUE", one a
 * line.
 */
#ifndef SINEW_HOST_EXAMPLE_FALLOFFS_H
#define SINEW_HOST_EXAMPLE_FALLOFFS_H

#include "plugin/registry.h"
#include "project/project.h"
#include "sinew/group_falloffs.h"

typedef struct snw_group_falloff {
	const char *name;
	const char *settings; /* "KEY=VALUE KEY=VALUE" */
	bool is_saved;        /* by a person */
} snw_group_falloff;

/* The file of saved falloffs: $XDG_CONFIG_HOME/sinew/falloffs, in `arena`; NULL without a home. */
const char *snw_group_falloffs_path(snw_arena *arena);

/* The falloffs of the method that learns from sculpts; NULL if there is none. They live as long as the registry. */
const snw_group_falloffs *snw_group_falloffs_of_method(const snw_scene *scene, const snw_registry *registry);
/* Those of the method (may be NULL), then those of the file at `path` (NULL, or a missing file: none), in `arena`. Lines that
 * make no sense are left out. */
snw_group_falloff *snw_group_falloffs_list(const snw_group_falloffs *of_method, const char *path, snw_arena *arena,
										   uint32_t *count);
/* Adds a falloff to the file, or replaces it. SNW_ERROR_ARGUMENT for a name with blanks or of a falloff of the method. */
snw_status snw_group_falloff_save(const char *path, const snw_group_falloffs *of_method, const char *name, const char *settings,
								  snw_error *error);

/* The falloff of a group, as settings, in `arena`; NULL if no corrective has one. */
const char *snw_group_falloff_of(const snw_scene *scene, const snw_registry *registry, uint32_t group, snw_arena *arena);
/* Gives a group a falloff, within an open command. SNW_ERROR_MISSING without a corrective, SNW_ERROR_ARGUMENT if it lacks a
 * setting. */
snw_status snw_project_put_group_falloff(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										 uint32_t group, const snw_group_falloff *falloff, snw_error *error);

#endif
