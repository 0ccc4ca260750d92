/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures resampled into other UVs: each texel of a new picture shows what the picture before showed at its place of the
 * surface. Directions of a normal map rotate with the UVs, triangle by triangle.
 */
#ifndef SINEW_HOST_UNWRAP_RESAMPLE_H
#define SINEW_HOST_UNWRAP_RESAMPLE_H

#include "picture/pictures.h"
#include "unwrap/unwrap.h"

typedef enum snw_texture_use {
	SNW_TEXTURE_BASE_COLOR,
	SNW_TEXTURE_METALLIC_ROUGHNESS,
	SNW_TEXTURE_NORMAL,
	SNW_TEXTURE_EMISSIVE,
	SNW_TEXTURE_USES,
} snw_texture_use;

/* "base colour" */
const char *snw_texture_use_name(snw_texture_use use);
bool snw_texture_is_color(snw_texture_use use);
/* The picture of a material. */
uint32_t *snw_texture_of(snw_material *material, snw_texture_use use);

enum { SNW_RESAMPLE_MOST_SIZE = 8192 };

typedef struct snw_resample_request {
	uint32_t mesh_count;
	const snw_unwrapped_mesh *meshes; /* with the new UVs */
	uint32_t size;                    /* pixels along a side of each new picture, at most SNW_RESAMPLE_MOST_SIZE */
	/* [SNW_TEXTURE_USES · image_count], by use: the pictures decoded as colours or as data; one without pixels is left. */
	const snw_mipmap *pictures;
} snw_resample_request;

typedef struct snw_resampled {
	uint32_t material, image;
	snw_texture_use use;
	const unsigned char *bytes; /* PNG */
	size_t byte_count;
	double rms, largest; /* of the difference to the picture before, in steps of 255, between the texels' middles */
} snw_resampled;

typedef struct snw_resampled_textures {
	uint32_t count;
	snw_resampled *textures;
	const char **left; /* [material_count]: why its textures were left as they are; NULL */
} snw_resampled_textures;

/* All in `arena`. A material whose other meshes keep their UVs, or that had no UVs, is left. SNW_CANCELLED. The same bits for
 * any number of threads. */
snw_status snw_textures_resample(const snw_scene *scene, const snw_resample_request *request, const snw_task *task,
								 snw_arena *arena, snw_resampled_textures *made, snw_error *error);

#endif
