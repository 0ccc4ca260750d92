/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constants shared by save.c and load.c.
 */
#ifndef SINEW_DEFORMERS_INVERSE_PSD_SAVED_FORMAT_H
#define SINEW_DEFORMERS_INVERSE_PSD_SAVED_FORMAT_H

#include "sinew/bytes.h"

#define SAVED_MARK "SNWIPSD"
enum { SAVED_MARK_BYTES = sizeof SAVED_MARK, SAVED_REVISION = 2 };

#endif
