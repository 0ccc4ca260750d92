/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin files: what engines can play of a stack, for plugins/player/sinew_player.h. docs/skin-file.md defines the format.
 */
#ifndef SINEW_HOST_EXPORT_SKIN_SKIN_FILE_H
#define SINEW_HOST_EXPORT_SKIN_SKIN_FILE_H

#include "export/export.h"

extern const snw_export_format snw_export_skin;

#endif
