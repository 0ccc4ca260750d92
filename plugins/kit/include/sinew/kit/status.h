/* SPDX-License-Identifier: MIT
 *
 * How to pass a status on. A status has one of three meanings: SNW_OK, the result is there; a caveat (positive, but not
 * SNW_CANCELLED), the result is there and may be used; anything else, there is no result.
 *
 *     snw_status status = first(…);
 *     status = snk_failed(status) ? status : second(…);
 *     if (snk_failed(status)) {
 *         return status;
 *     }
 *
 * So a caveat does not stop the work, and the next status replaces it. A fit that has to report one keeps it in a variable.
 */
#ifndef SINEW_KIT_STATUS_H
#define SINEW_KIT_STATUS_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a call gave no result: an error, or cancelled. */
static inline int snk_failed(snw_status status) {
	return status < 0 || status == SNW_CANCELLED;
}

#ifdef __cplusplus
}
#endif

#endif
