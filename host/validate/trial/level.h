/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much a check tries.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_LEVEL_H
#define SINEW_HOST_VALIDATE_TRIAL_LEVEL_H

/* How much is tried where something is tried again and again: the allocations that fail, the reports that ask for a stop, … */
typedef enum snw_validate_level {
	SNW_VALIDATE_NORMAL = 0,
	SNW_VALIDATE_QUICK = 1,    /* a few of each, within a second or two */
	SNW_VALIDATE_THOROUGH = 2, /* all of them */
} snw_validate_level;

#endif
