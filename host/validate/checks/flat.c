/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character whose meshes lie in one plane at rest, as cloth, leaves and drawings do: they have no volume, and no height.
 */
#include "plugin/requirements.h"
#include "validate/checks/checks.h"

enum { POSES = 8 };

/* A fit may refuse such a character, in words that say so. */
snw_status snw_validate_flat(harness *b, const check_settings *settings, snw_error *finding) {
	uint64_t random = settings->seed;
	snw_error fault = {0};
	snw_status status = harness_release(b, finding);
	status = snw_failed(status) ? status : harness_change_scene(b, SNW_TRIAL_FLAT, finding);
	if (snw_failed(status)) {
		return status;
	}
	snw_validate_note("with a character whose meshes are flat at rest");
	const snw_status fitted = harness_fit_whole(b, &fault);
	if (fitted == SNW_ERROR_INTERNAL) {
		return snw_fail(finding, fitted, "with meshes that are flat at rest: %.800s", fault.text);
	}
	if (snw_failed(fitted)) {
		return snw_fail(finding, SNW_OK, "refused in words: %.800s", fault.text);
	}
	status = snw_validate_finite_poses(b, &random, POSES, &fault);
	return snw_failed(status)
			   ? snw_fail(finding, status, "with meshes that are flat at rest: %.800s", fault.text)
			   : snw_fail(finding, SNW_OK, "every number of a character whose meshes are flat at rest is finite");
}
