/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UVs that hold in every pose: charts are flattened by the mean squares of their edges' lengths over the poses of a character.
 * L2 stretch squared is linear in these, so what is best for them is best for all poses together.
 *
 *   surface   a mesh's edges and triangles, and their lengths over poses
 *   charts    its parts: those of the UVs that are there, of a field, or by merging faces (segment)
 *   flatten   each part in the plane, by its lengths alone; one whose border crosses itself (border) is cut in two
 *   pack      all parts of a material in one square
 */
#ifndef SINEW_HOST_UNWRAP_UNWRAP_H
#define SINEW_HOST_UNWRAP_UNWRAP_H

#include "picture/pictures.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"

typedef enum snw_unwrap_charts {
	SNW_CHARTS_KEEP,  /* where the UVs have seams; without UVs each part of the mesh */
	SNW_CHARTS_FIELD, /* faces with the same number, where they hang together */
	SNW_CHARTS_AUTO,  /* by merging faces that face one way over the poses */
} snw_unwrap_charts;

typedef struct snw_unwrap_request {
	uint32_t mesh; /* the only one that is unwrapped; SNW_NONE: all with faces */
	snw_unwrap_charts charts;
	const char *field;    /* over faces, one number each */
	uint32_t most_charts; /* of a mesh that is cut automatically; 0: SNW_UNWRAP_CHARTS */
	double most_stretch;  /* of a chart that is made automatically; 0: SNW_UNWRAP_STRETCH */
	uint32_t size;        /* pixels along a side of the square; 0: SNW_UNWRAP_SIZE */
	uint32_t padding;     /* pixels between charts, at all mips up to `mips` (at most SNW_UNWRAP_MIPS): 0 is the texture */
	uint32_t mips;
	bool at_rest;        /* flattened by the rest alone */
	uint32_t clip_count; /* whose poses count; 0: the project's named poses */
	const uint32_t *clips;
} snw_unwrap_request;

enum { SNW_UNWRAP_CHARTS = 60, SNW_UNWRAP_SIZE = 2048, SNW_UNWRAP_PADDING = 4, SNW_UNWRAP_MIPS = 8 };
#define SNW_UNWRAP_STRETCH 1.25

/* Mean L2 stretch: 1 keeps all lengths. The square root of the mean over the surface of (Γ² + γ²) / 2, the singular values of
 * the map from UV to the surface, for the best size of the texture; the mean over poses. */
typedef struct snw_uv_stretch {
	double rest, poses;
} snw_uv_stretch;

typedef struct snw_unwrapped_mesh {
	uint32_t mesh, chart_count;
	float *corner_uvs;    /* [corner_count][2], glTF's: v down */
	double *charts;       /* [face_count]: the number of its chart, from 0 */
	double *stretch_rest; /* [face_count]: L2 stretch at rest and over the poses */
	double *stretch_poses;
	uint32_t cut_parts;    /* parts without a border, or not flat otherwise, that were cut automatically */
	uint32_t split_charts; /* charts that were cut because their border crossed itself */
	uint32_t short_charts; /* whose stretch is not the least: that would take too many steps */
	uint32_t odd_edges;    /* of more than two faces, or between faces wound against each other: seams */
} snw_unwrapped_mesh;

typedef struct snw_unwrapped {
	uint32_t mesh_count;
	snw_unwrapped_mesh *meshes;
	uint32_t chart_count, atlas_count, pose_count;
	snw_uv_stretch stretch, before; /* before: infinite where a triangle had no area; NaN without UVs */
	double worst_chart;             /* the largest stretch of a chart over the poses */
	uint32_t worst_mesh;            /* of it */
	double used;                    /* the least share of a square that is covered */
	bool moves;                     /* some pose is another shape than the rest */
} snw_unwrapped;

/* In `arena`. SNW_ERROR_ARGUMENT where the padding takes half of the size or more; SNW_ERROR_MISSING without faces, or without
 * the field; SNW_ERROR_LIMIT for a mesh in too many parts, or charts that find no room; SNW_CANCELLED; the errors of the
 * stack. */
snw_status snw_unwrap(const snw_scene *scene, const snw_registry *registry, const snw_unwrap_request *request,
					  const snw_task *task, snw_arena *arena, snw_unwrapped *made, snw_error *error);

/* The mean stretch of UVs of one mesh ([corner_count][2]; NULL: its own) over all frames of a clip. SNW_ERROR_MISSING without
 * UVs; the errors of the stack. */
snw_status snw_unwrap_measure(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const float *corner_uvs,
							  uint32_t clip, const snw_task *task, double *stretch, snw_error *error);

/* ---- layout -------------------------------------------------------------------------------------------------------------- */

/* The charts of the UVs that a mesh has, to be shown. */

typedef struct snw_uv_layout {
	uint32_t chart_count, triangle_count, border_count;
	uint32_t *triangles;       /* [triangle_count][3]: corners */
	uint32_t *triangle_charts; /* [triangle_count] */
	uint32_t *borders;         /* [border_count][2]: corners at both ends of an edge that a chart ends at */
	float low[2], high[2];     /* a box of these UVs and the unit square */
} snw_uv_layout;

/* Of the faces with a material (SNW_NONE: of those without one). All 0 where there are none, or no UVs. In `arena`. */
snw_uv_layout snw_uv_layout_make(const snw_mesh *mesh, uint32_t material, snw_arena *arena);

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* Textures resampled into other UVs: each texel of a new picture shows what the picture before showed at its place of the
 * surface. Directions of a normal map rotate with the UVs, triangle by triangle. */

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
