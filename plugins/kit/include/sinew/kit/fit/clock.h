/* SPDX-License-Identifier: MIT
 *
 * A clock for the times that a fit reports.
 */
#ifndef SINEW_KIT_FIT_CLOCK_H
#define SINEW_KIT_FIT_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some fixed moment; never runs backwards. Any thread. */
double snk_clock_seconds(void);

#ifdef __cplusplus
}
#endif

#endif
