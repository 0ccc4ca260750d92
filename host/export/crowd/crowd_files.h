/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A crowd for engines, as a folder: a static glTF with joints and weights, and the palettes of all frames as a texture, so that
 * a vertex shader plays any number of instances without a skeleton.
 *
 *     crowd.glb                        each mesh: JOINTS_0 counts slots of the mesh, the heaviest influence first; levels of
 *                                      detail are further meshes, which MSFT_lod of their mesh's node lists
 *     palettes.half.ktx2, .float.ktx2  RGBA, a row a frame, width texels
 *     palettes.half.bin, .float.bin    the same without a header, little-endian
 *     crowd.json                       what all of it is: format "sinew-crowd", version 1
 *
 * A mesh and its levels have texels [first_texel, first_texel + texels_a_slot · slots) of a row. A slot is two texels, the real
 * and the dual part of a dual quaternion (x y z w), or three, the rows of a 3×4 matrix. The mesh is what linear blend or dual
 * quaternions with four influences make of them: displacements, further influences and joints that stretch under dual
 * quaternions are left out, and measured.
 */
#ifndef SINEW_HOST_EXPORT_CROWD_CROWD_FILES_H
#define SINEW_HOST_EXPORT_CROWD_CROWD_FILES_H

#include "crowd/crowd.h"

/* How far what the files play is from the stack, over at most 64 frames, evenly among all. A level is compared with what the
 * stack makes of that level. */
typedef struct snw_crowd_loss {
	double max_percent; /* of the diagonal of the rest of the mesh */
	double erms;        /* measure/measure.h, over all meshes and levels */
} snw_crowd_loss;

typedef struct snw_crowd_files_report {
	snw_crowd_loss half, single; /* with palettes in half floats, and in floats */
	uint32_t frame_count, width, measured_frames;
	uint32_t dropped_influences, left_out_displacements;
	const char *left_out_layers;       /* the meshes that have these displacements, with their layers */
	uint64_t half_bytes, single_bytes; /* of the palettes */
} snw_crowd_files_report;

typedef struct snw_crowd_files snw_crowd_files;

snw_status snw_crowd_files_make(const snw_crowd_character *character, snw_crowd *crowd, const snw_task *task,
								snw_crowd_files **files, snw_error *error);
void snw_crowd_files_destroy(snw_crowd_files *files); /* NULL: does nothing */
const snw_crowd_files_report *snw_crowd_files_reported(const snw_crowd_files *files);

/* Writes them into a folder, which is created. Each file is written atomically. */
snw_status snw_crowd_files_write(const snw_crowd_files *files, const char *folder, snw_error *error);

#endif
