/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A project that is copied into another folder continues to read the files that its settings name.
 */
#ifndef SINEW_HOST_PROJECT_REBASE_FILES_H
#define SINEW_HOST_PROJECT_REBASE_FILES_H

#include "plugin/registry.h"
#include "project/project.h"

/* Paths in the settings of the project at `copy`, which begin at `folder`, become paths as seen from its own folder. One
 * command, or none where there is nothing to change. Settings of deformers that are not there stay as they are. */
snw_status snw_project_rebase_files(const char *copy, const char *folder, const snw_registry *registry, snw_error *error);

#endif
