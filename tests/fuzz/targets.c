/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz/targets.h"

#include <string.h>

#include "fuzz/readers.h"

static const fuzz_target targets[] = {
	{"gltf", fuzz_gltf, 1, seed_of_gltf},
	{"glb", fuzz_glb, 3, seed_of_glb},
	{"fbx", fuzz_fbx, 3, seed_of_fbx},
	{"bvh", fuzz_bvh, 1, seed_of_bvh},
	{"map", fuzz_map, 1, seed_of_map},
	{"obj", fuzz_obj, 1, seed_of_obj},
	{"mtl", fuzz_mtl, 1, seed_of_mtl},
	{"sculpt", fuzz_sculpt, 1, seed_of_obj},
	{"pc2", fuzz_pc2, 1, seed_of_pc2},
	{"mdd", fuzz_mdd, 1, seed_of_mdd},
	{"pose", fuzz_pose, 2, seed_of_pose},
	{"picture", fuzz_picture, 1, seed_of_picture},
	{"project", fuzz_project, 1, seed_of_project},
	{"journal", fuzz_journal, 1, seed_of_journal},
	{"messages", fuzz_messages, 1, seed_of_messages},
	{"result", fuzz_result, 2, seed_of_result},
	{"outcome", fuzz_outcome, 10, seed_of_outcome},
	{"model", fuzz_model, 7, seed_of_model},
	{"parameters", fuzz_parameters, 5, seed_of_parameters},
	{"drawing", fuzz_drawing, 2, seed_of_drawing},
};

const fuzz_target *fuzz_target_at(unsigned index) {
	return index < sizeof targets / sizeof *targets ? &targets[index] : NULL;
}

const fuzz_target *fuzz_target_find(const char *name) {
	const fuzz_target *target;
	for (unsigned i = 0; (target = fuzz_target_at(i)); i++) {
		if (strcmp(target->name, name) == 0) {
			return target;
		}
	}
	return NULL;
}
