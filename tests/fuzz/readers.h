/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readers of files, and their seeds.
 */
#ifndef SINEW_TESTS_FUZZ_READERS_H
#define SINEW_TESTS_FUZZ_READERS_H

#include <stddef.h>

typedef void fuzz_read(const unsigned char *bytes, size_t count);
typedef unsigned char *fuzz_seed(unsigned index, size_t *count);

fuzz_read fuzz_gltf, fuzz_glb, fuzz_fbx, fuzz_bvh, fuzz_map, fuzz_obj, fuzz_mtl, fuzz_sculpt, fuzz_pc2, fuzz_mdd, fuzz_pose,
	fuzz_picture;
fuzz_seed seed_of_gltf, seed_of_glb, seed_of_fbx, seed_of_bvh, seed_of_map, seed_of_obj, seed_of_mtl, seed_of_pc2, seed_of_mdd,
	seed_of_pose, seed_of_picture;

/* Projects, and messages between the program and its worker. */
fuzz_read fuzz_project, fuzz_journal, fuzz_messages, fuzz_result;
fuzz_seed seed_of_project, seed_of_journal, seed_of_messages, seed_of_result;

/* What fits hand on. */
fuzz_read fuzz_outcome, fuzz_model, fuzz_parameters, fuzz_drawing;
fuzz_seed seed_of_outcome, seed_of_model, seed_of_parameters, seed_of_drawing;

#endif
