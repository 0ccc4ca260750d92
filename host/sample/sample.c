/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples by name.
 */
#include "sample/sample.h"

#include <string.h>

#include "sample/makers.h"

static const struct {
	const char *name;
	snw_status (*make)(snw_scene *scene, snw_error *error);
} samples[] = {
	{"arm", snw_sample_make_arm},
	{"small-arm", snw_sample_make_small_arm},
	{"bar", snw_sample_make_bar},
	{"cloth", snw_sample_make_cloth},
	{"face", snw_sample_make_face},
	{"tube", snw_sample_make_tube},
	{"twist-bar", snw_sample_make_twist_bar},
	{"elbow", snw_sample_make_elbow},
	{"muscle-arm", snw_sample_make_muscle_arm},
};

snw_status snw_sample_make(const char *name, snw_scene **scene, snw_error *error) {
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		if (strcmp(samples[i].name, name) != 0) {
			continue;
		}
		snw_scene *made = snw_scene_create();
		snw_status status = samples[i].make(made, error);
		if (!snw_failed(status)) {
			status = snw_scene_check(made, error);
		}
		if (snw_failed(status)) {
			snw_scene_destroy(made);
			return status;
		}
		*scene = made;
		return status;
	}
	return snw_fail(error, SNW_ERROR_MISSING,
					"no such sample \"%s\"; choose arm, small-arm, bar, cloth, face, tube, twist-bar, elbow or "
					"muscle-arm",
					name);
}
