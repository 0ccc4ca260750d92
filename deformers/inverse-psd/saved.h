/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What save.c and load.c agree on.
 */
#ifndef SINEW_DEFORMERS_INVERSE_PSD_SAVED
#define SINEW_DEFORMERS_INVERSE_PSD_SAVED

#include "sinew/bytes.h"

#define SAVED_MARK "SNWIPSD"
enum { SAVED_MARK_BYTES = sizeof SAVED_MARK, SAVED_REVISION = 2 };

#endif
