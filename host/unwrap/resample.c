/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/unwrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"
#include "task/task.h"
#include "unwrap/unwrapping.h"

/* ---- resample ------------------------------------------------------------------------------------------------------------ */

enum { ROW_GRAIN = 16 /* rows that a thread takes */ };

const char *snw_texture_use_name(snw_texture_use use) {
	static const char *const names[SNW_TEXTURE_USES] = {"base colour", "metallic and roughness", "normal map", "emissive"};
	return names[use];
}

bool snw_texture_is_color(snw_texture_use use) {
	return use == SNW_TEXTURE_BASE_COLOR || use == SNW_TEXTURE_EMISSIVE;
}

uint32_t *snw_texture_of(snw_material *material, snw_texture_use use) {
	uint32_t *const images[SNW_TEXTURE_USES] = {&material->base_color_image, &material->metallic_roughness_image,
												&material->normal_image, &material->emissive_image};
	return images[use];
}

/* A triangle of the surface in both pictures, v down. */
typedef struct patch {
	double to[3][2];       /* new UVs, in texels of the new picture */
	double from[3][2];     /* UVs before */
	double detail;         /* the area in UVs before of one new texel */
	double rotation[2][2]; /* of directions in a normal map, from the frame of the UVs before to that of the new ones */
} patch;

/* ---- patches ------------------------------------------------------------------------------------------------------------- */

static double area_of(const double (*corners)[2]) {
	return ((corners[1][0] - corners[0][0]) * (corners[2][1] - corners[0][1]) -
			(corners[2][0] - corners[0][0]) * (corners[1][1] - corners[0][1])) /
		   2;
}

/* The direction in which u rises and v does not, in the plane of a triangle whose first edge is (edges[0], 0) and whose last
 * one, reversed, is (edges[1], edges[2]). `sign` gets -1 where UVs are mirrored. */
static void direction_of_u(const double edges[3], const double (*uvs)[2], double direction[2], double *sign) {
	const double first = uvs[1][1] - uvs[0][1], second = uvs[2][1] - uvs[0][1];
	/* It is at right angles to the gradient of v, which is down. */
	const double gradient[2] = {first / edges[0], (second - first * edges[1] / edges[0]) / edges[2]};
	const double length = hypot(gradient[0], gradient[1]);
	*sign = area_of(uvs) < 0 ? 1 : -1;
	direction[0] = length > 0 ? -*sign * gradient[1] / length : 1;
	direction[1] = length > 0 ? *sign * gradient[0] / length : 0;
}

/* From tangent and bitangent of the UVs before to those of the new ones. */
static void find_rotation(const double edges[3], const double (*from)[2], const double (*to)[2], double (*rotation)[2]) {
	double t[2], s[2], sign_t, sign_s;
	direction_of_u(edges, from, t, &sign_t);
	direction_of_u(edges, to, s, &sign_s);
	const double b[2] = {-sign_t * t[1], sign_t * t[0]}, c[2] = {-sign_s * s[1], sign_s * s[0]};
	rotation[0][0] = t[0] * s[0] + t[1] * s[1];
	rotation[0][1] = b[0] * s[0] + b[1] * s[1];
	rotation[1][0] = t[0] * c[0] + t[1] * c[1];
	rotation[1][1] = b[0] * c[0] + b[1] * c[1];
}

static void make_patch(const unwrap_surface *surface, uint32_t triangle, const float *new_uvs, uint32_t size, patch *p) {
	const snw_mesh *mesh = surface->mesh;
	double points[3][3], along = 0, square = 0, second = 0;
	for (int k = 0; k < 3; k++) {
		const size_t corner = surface->triangles[3 * (size_t)triangle + k];
		for (int c = 0; c < 2; c++) {
			p->from[k][c] = (double)mesh->corner_uvs[2 * corner + c];
			p->to[k][c] = (double)new_uvs[2 * corner + c] * size;
		}
		memcpy(points[k], mesh->points_rest + 3 * (size_t)mesh->face_points[corner], sizeof points[k]);
	}
	for (int c = 0; c < 3; c++) {
		const double a = points[1][c] - points[0][c], b = points[2][c] - points[0][c];
		square += a * a;
		along += a * b;
		second += b * b;
	}
	const double length = sqrt(square), x = length > 0 ? along / length : 0, rise = sqrt(fmax(second - x * x, 0));
	const double edges[3] = {length, x, rise};
	p->detail = fabs(area_of((const double(*)[2])p->from) / area_of((const double(*)[2])p->to));
	p->detail = isfinite(p->detail) ? p->detail : 0;
	if (length > 0 && rise > 0) {
		find_rotation(edges, (const double(*)[2])p->from, (const double(*)[2])p->to, p->rotation);
	} else {
		p->rotation[0][0] = p->rotation[1][1] = 1;
	}
}

/* The triangles with a material, in `scratch`; none where its textures have to be left: `left` says why, in `arena`. */
static patch *make_patches(const snw_scene *scene, const snw_resample_request *request, uint32_t material, snw_arena *arena,
						   snw_arena *scratch, uint32_t *count, const char **left) {
	patch *patches = NULL;
	uint32_t room = 0;
	if (scene->materials[material].has_further_uvs) {
		*left = snw_arena_text(arena, "they lie on several UV sets");
	}
	for (uint32_t m = 0; m < scene->mesh_count && !*left; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const snw_unwrapped_mesh *made = NULL;
		for (uint32_t i = 0; i < request->mesh_count; i++) {
			made = request->meshes[i].mesh == m ? &request->meshes[i] : made;
		}
		const unwrap_surface surface = made ? unwrap_surface_make(mesh, scratch) : (unwrap_surface){.mesh = mesh};
		for (uint32_t f = 0; f < mesh->face_count && mesh->face_materials && !*left; f++) {
			if (mesh->face_materials[f] != material) {
				continue;
			}
			if (!made || !mesh->corner_uvs) {
				*left =
					snw_arena_format(arena, made ? "mesh %s had no UVs" : "mesh %s has it too and keeps its UVs", mesh->name);
				*count = 0;
				break;
			}
			for (uint32_t t = surface.triangle_offsets[f]; t < surface.triangle_offsets[f + 1]; t++) {
				patches = snw_arena_grow(scratch, patches, *count, &room, sizeof *patches);
				make_patch(&surface, t, made->corner_uvs, request->size, &patches[(*count)++]);
			}
		}
	}
	return patches;
}

/* ---- which triangle a texel shows ---------------------------------------------------------------------------------------- */

static double side_of_line(const double *a, const double *b, const double at[2]) {
	return (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
}

/* The shares of the corners at a place of the new picture; false outside. */
static bool shares_at(const patch *p, const double at[2], double shares[3]) {
	const double twice = 2 * area_of((const double(*)[2])p->to);
	for (int k = 0; k < 3; k++) {
		shares[k] = side_of_line(p->to[(k + 1) % 3], p->to[(k + 2) % 3], at) / twice;
	}
	return shares[0] >= 0 && shares[1] >= 0 && shares[2] >= 0; /* false without an area */
}

/* Those of the nearest place of the triangle. */
static void nearest_shares(const patch *p, const double at[2], double shares[3]) {
	double nearest = (double)INFINITY;
	if (shares_at(p, at, shares)) {
		return;
	}
	for (int k = 0; k < 3; k++) {
		const double *a = p->to[k], *b = p->to[(k + 1) % 3], edge[2] = {b[0] - a[0], b[1] - a[1]};
		const double square = edge[0] * edge[0] + edge[1] * edge[1];
		const double along = square > 0 ? ((at[0] - a[0]) * edge[0] + (at[1] - a[1]) * edge[1]) / square : 0;
		const double share = fmin(fmax(along, 0), 1);
		const double distance = hypot(a[0] + share * edge[0] - at[0], a[1] + share * edge[1] - at[1]);
		if (distance < nearest) {
			nearest = distance;
			shares[k] = 1 - share;
			shares[(k + 1) % 3] = share;
			shares[(k + 2) % 3] = 0;
		}
	}
}

static uint32_t clamped(double at, uint32_t size) {
	return (uint32_t)fmin(fmax(at, 0), size);
}

static void draw_patch(const patch *patches, uint32_t index, uint32_t size, uint32_t *owners) {
	const double(*to)[2] = (const double(*)[2])patches[index].to;
	uint32_t low[2], high[2];
	for (int c = 0; c < 2; c++) {
		low[c] = clamped(fmin(fmin(to[0][c], to[1][c]), to[2][c]) - 0.5, size);
		high[c] = clamped(ceil(fmax(fmax(to[0][c], to[1][c]), to[2][c]) + 0.5), size);
	}
	for (uint32_t y = low[1]; y < high[1]; y++) {
		for (uint32_t x = low[0]; x < high[0]; x++) {
			double shares[3];
			if (owners[(size_t)y * size + x] == SNW_NONE &&
				shares_at(&patches[index], (const double[2]){x + 0.5, y + 0.5}, shares)) {
				owners[(size_t)y * size + x] = index;
			}
		}
	}
}

/* Texels that no triangle covers get that of their nearest neighbours, breadth first. */
static void spread_owners(uint32_t size, uint32_t *owners, uint32_t *queue) {
	const size_t texels = (size_t)size * size;
	size_t first = 0, end = 0;
	for (size_t i = 0; i < texels; i++) {
		if (owners[i] != SNW_NONE) {
			queue[end++] = (uint32_t)i;
		}
	}
	while (first < end) {
		const uint32_t at = queue[first++], x = at % size, y = at / size;
		const uint32_t next[4] = {x > 0 ? at - 1 : at, x + 1 < size ? at + 1 : at, y > 0 ? at - size : at,
								  y + 1 < size ? at + size : at};
		for (int k = 0; k < 4; k++) {
			if (owners[next[k]] == SNW_NONE) {
				owners[next[k]] = owners[at];
				queue[end++] = next[k];
			}
		}
	}
}

/* ---- one picture --------------------------------------------------------------------------------------------------------- */

typedef struct drawing {
	uint32_t size;
	const patch *patches;
	const uint32_t *owners; /* [size][size] */
	snw_texture_use use;
	const snw_mipmap *from;
	double decoded[256];
	unsigned char *pixels;     /* [size][size][4] */
	double *squares, *largest; /* [size]: of the differences of a row */
	uint32_t *samples;
} drawing;

static const unsigned char *level_of(const snw_mipmap *picture, uint32_t level) {
	const unsigned char *pixels = picture->pixels;
	for (uint32_t i = 0; i < level; i++) {
		pixels += 4 * (size_t)snw_mipmap_side(picture->width, i) * snw_mipmap_side(picture->height, i);
	}
	return pixels;
}

/* The remainder of a texel's number: pictures repeat. */
static uint32_t repeated(int64_t at, uint32_t side) {
	const int64_t rest = at % side;
	return (uint32_t)(rest < 0 ? rest + side : rest);
}

/* Between four texels, in linear light where the picture has colours. */
static void sample_level(const drawing *d, const unsigned char *pixels, uint32_t width, uint32_t height, const double uv[2],
						 double value[4]) {
	const double x = uv[0] * width - 0.5, y = uv[1] * height - 0.5, left = floor(x), top = floor(y);
	memset(value, 0, 4 * sizeof *value);
	for (int k = 0; k < 4; k++) {
		const uint32_t column = repeated((int64_t)left + k % 2, width), row = repeated((int64_t)top + k / 2, height);
		const double share = (k % 2 ? x - left : 1 - (x - left)) * (k / 2 ? y - top : 1 - (y - top));
		const unsigned char *texel = pixels + 4 * ((size_t)row * width + column);
		for (int c = 0; c < 4; c++) {
			value[c] += share * (c == 3 ? texel[c] / 255.0 : d->decoded[texel[c]]);
		}
	}
}

/* A direction of a normal map in the new frame. */
static void rotate_direction(const patch *p, double value[4]) {
	const double x = 2 * value[0] - 1, y = 2 * value[1] - 1;
	value[0] = (p->rotation[0][0] * x + p->rotation[0][1] * y + 1) / 2;
	value[1] = (p->rotation[1][0] * x + p->rotation[1][1] * y + 1) / 2;
}

/* What the picture before shows at a place of a triangle, between the two mipmaps that have the detail of the new texels, or in
 * full detail. */
static void sample_before(const drawing *d, const patch *p, const double shares[3], bool is_full, double value[4]) {
	double uv[2] = {0, 0}, finer[4], coarser[4];
	for (int k = 0; k < 3; k++) {
		uv[0] += shares[k] * p->from[k][0];
		uv[1] += shares[k] * p->from[k][1];
	}
	uv[0] -= floor(uv[0]);
	uv[1] -= floor(uv[1]);
	const double texels = p->detail * d->from->width * d->from->height;
	const double most = d->from->level_count - 1, detail = texels > 1 && !is_full ? fmin(log2(texels) / 2, most) : 0;
	const uint32_t level = (uint32_t)detail, next = level + 1 < d->from->level_count ? level + 1 : level;
	const double share = detail - level;
	sample_level(d, level_of(d->from, level), snw_mipmap_side(d->from->width, level), snw_mipmap_side(d->from->height, level),
				 uv, finer);
	if (share > 0) {
		sample_level(d, level_of(d->from, next), snw_mipmap_side(d->from->width, next), snw_mipmap_side(d->from->height, next),
					 uv, coarser);
	}
	for (int c = 0; c < 4; c++) {
		value[c] = share > 0 ? (1 - share) * finer[c] + share * coarser[c] : finer[c];
	}
	if (d->use == SNW_TEXTURE_NORMAL) {
		rotate_direction(p, value);
	}
}

static double encoded(const drawing *d, double value, int component) {
	const double limited = fmin(fmax(value, 0), 1);
	return 255 * (component < 3 && snw_texture_is_color(d->use) ? snw_srgb_from_linear(limited) : limited);
}

static void draw_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const drawing *d = argument;
	(void)thread;
	for (uint32_t y = begin; y < end; y++) {
		for (uint32_t x = 0; x < d->size; x++) {
			const size_t texel = (size_t)y * d->size + x;
			const patch *p = &d->patches[d->owners[texel]];
			double shares[3], value[4];
			nearest_shares(p, (const double[2]){x + 0.5, y + 0.5}, shares);
			sample_before(d, p, shares, false, value);
			for (int c = 0; c < 4; c++) {
				d->pixels[4 * texel + c] = (unsigned char)lround(encoded(d, value[c], c));
			}
		}
	}
}

/* Differences where four texels meet: there the new picture is farthest from what was sampled. */
static void compare_rows(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const drawing *d = argument;
	(void)thread;
	for (uint32_t y = begin; y < end; y++) {
		for (uint32_t x = 0; x < d->size; x++) {
			const patch *p = &d->patches[d->owners[(size_t)y * d->size + x]];
			const double at[2] = {x, y}, uv[2] = {(double)x / d->size, (double)y / d->size};
			double shares[3], before[4], after[4];
			if (!shares_at(p, at, shares)) {
				continue;
			}
			sample_before(d, p, shares, true, before);
			sample_level(d, d->pixels, d->size, d->size, uv, after);
			for (int c = 0; c < 3; c++) {
				const double difference = fabs(encoded(d, after[c], c) - encoded(d, before[c], c));
				d->squares[y] += difference * difference / 3;
				d->largest[y] = fmax(d->largest[y], difference);
			}
			d->samples[y]++;
		}
	}
}

static snw_status encode(const drawing *d, snw_arena *arena, snw_resampled *made, snw_error *error) {
	const size_t texels = (size_t)d->size * d->size;
	bool is_opaque = true;
	for (size_t i = 0; i < texels && is_opaque; i++) {
		is_opaque = d->pixels[4 * i + 3] == 255;
	}
	for (size_t i = 0; i < texels && is_opaque; i++) {
		memmove(d->pixels + 3 * i, d->pixels + 4 * i, 3);
	}
	return snw_png_encode(d->pixels, d->size, d->size, is_opaque ? 3 : 4, arena, &made->bytes, &made->byte_count, error);
}

static snw_status draw(drawing *d, const snw_task *task, snw_arena *arena, snw_resampled *made, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	d->pixels = snw_arena_array(scratch, (size_t)d->size * d->size, 4);
	d->squares = SNW_NEW_ARRAY(scratch, double, d->size);
	d->largest = SNW_NEW_ARRAY(scratch, double, d->size);
	d->samples = SNW_NEW_ARRAY(scratch, uint32_t, d->size);
	for (int i = 0; i < 256; i++) {
		d->decoded[i] = snw_texture_is_color(d->use) ? snw_linear_from_srgb(i / 255.0) : i / 255.0;
	}
	double squares = 0, samples = 0;
	snw_status status = SNW_CANCELLED;
	snw_parallel_for(d->size, ROW_GRAIN, draw_rows, d);
	if (snw_task_progress(task, 0.4, "resampling textures")) {
		snw_parallel_for(d->size, ROW_GRAIN, compare_rows, d);
		status = snw_task_progress(task, 0.7, "resampling textures") ? encode(d, arena, made, error) : SNW_CANCELLED;
	}
	for (uint32_t y = 0; y < d->size; y++) {
		squares += d->squares[y];
		samples += d->samples[y];
		made->largest = fmax(made->largest, d->largest[y]);
	}
	made->rms = samples > 0 ? sqrt(squares / samples) : 0;
	snw_arena_destroy(scratch);
	return status;
}

/* ---- all textures -------------------------------------------------------------------------------------------------------- */

static const snw_mipmap *picture_of(const snw_scene *scene, const snw_resample_request *request, uint32_t material, int use) {
	snw_material copy = scene->materials[material];
	const uint32_t image = *snw_texture_of(&copy, use);
	const snw_mipmap *picture = image == SNW_NONE ? NULL : &request->pictures[(size_t)use * scene->image_count + image];
	return picture && picture->pixels ? picture : NULL;
}

/* [size][size]: of each texel the triangle that it shows. NULL where none is as large as a texel. */
static uint32_t *find_owners(uint32_t size, uint32_t count, const patch *patches, snw_arena *arena) {
	const size_t texels = (size_t)size * size;
	uint32_t *owners = SNW_NEW_ARRAY(arena, uint32_t, texels);
	memset(owners, 0xff, texels * sizeof *owners);
	for (uint32_t i = 0; i < count; i++) {
		draw_patch(patches, i, size, owners);
	}
	spread_owners(size, owners, SNW_NEW_ARRAY(arena, uint32_t, texels));
	return owners[0] == SNW_NONE ? NULL : owners;
}

static snw_status resample_material(const snw_scene *scene, const snw_resample_request *request, uint32_t index,
									const snw_task *task, snw_arena *arena, snw_resampled_textures *made, snw_error *error) {
	snw_material material = scene->materials[index];
	snw_arena *scratch = snw_arena_create();
	uint32_t count = 0;
	const patch *patches = make_patches(scene, request, index, arena, scratch, &count, &made->left[index]);
	const uint32_t *owners = count > 0 ? find_owners(request->size, count, patches, scratch) : NULL;
	snw_status status = SNW_OK;
	for (int use = 0; use < SNW_TEXTURE_USES && owners && !snw_failed(status); use++) {
		const snw_mipmap *from = picture_of(scene, request, index, use);
		snw_subtask part = {task, (double)use / SNW_TEXTURE_USES, (use + 1.0) / SNW_TEXTURE_USES};
		const snw_task drawing_task = snw_task_of_subtask(&part);
		if (from) {
			snw_resampled *texture = &made->textures[made->count++];
			*texture = (snw_resampled){.material = index, .image = *snw_texture_of(&material, use), .use = use};
			drawing d = {.size = request->size, .patches = patches, .owners = owners, .use = use, .from = from};
			status = draw(&d, &drawing_task, arena, texture, error);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_textures_resample(const snw_scene *scene, const snw_resample_request *request, const snw_task *task,
								 snw_arena *arena, snw_resampled_textures *made, snw_error *error) {
	snw_status status = SNW_OK;
	*made = (snw_resampled_textures){.textures =
										 SNW_NEW_ARRAY(arena, snw_resampled, (size_t)SNW_TEXTURE_USES * scene->material_count),
									 .left = SNW_NEW_ARRAY(arena, const char *, scene->material_count)};
	for (uint32_t i = 0; i < scene->material_count && !snw_failed(status); i++) {
		snw_subtask part = {task, (double)i / scene->material_count, (i + 1.0) / scene->material_count};
		const snw_task one = snw_task_of_subtask(&part);
		bool has_pictures = false;
		for (int use = 0; use < SNW_TEXTURE_USES; use++) {
			has_pictures = has_pictures || picture_of(scene, request, i, use);
		}
		status = has_pictures ? resample_material(scene, request, i, &one, arena, made, error) : SNW_OK;
	}
	return status == SNW_CANCELLED ? snw_fail(error, status, "unwrapping was cancelled") : status;
}

/* ---- surface ------------------------------------------------------------------------------------------------------------- */

enum { TRIANGLE_GRAIN = 512 };

/* ---- edges --------------------------------------------------------------------------------------------------------------- */

/* An edge of a face; `low` and `high` are its points. */
typedef struct side {
	uint32_t low, high, corner;
} side;

static int compare_sides(const void *a, const void *b) {
	const side *x = a, *y = b;
	if (x->low != y->low) {
		return x->low < y->low ? -1 : 1;
	}
	if (x->high != y->high) {
		return x->high < y->high ? -1 : 1;
	}
	return x->corner < y->corner ? -1 : x->corner > y->corner;
}

uint32_t unwrap_next_corner(const unwrap_surface *surface, uint32_t corner) {
	const snw_mesh *mesh = surface->mesh;
	const uint32_t face = surface->corner_faces[corner];
	return corner + 1 < mesh->face_offsets[face + 1] ? corner + 1 : mesh->face_offsets[face];
}

static void find_twins(unwrap_surface *s) {
	snw_arena *scratch = snw_arena_create();
	const uint32_t *points = s->mesh->face_points;
	side *sides = SNW_NEW_ARRAY(scratch, side, s->corner_count);
	for (uint32_t c = 0; c < s->corner_count; c++) {
		const uint32_t a = points[c], b = points[unwrap_next_corner(s, c)];
		sides[c] = (side){a < b ? a : b, a < b ? b : a, c};
		s->twins[c] = SNW_NONE;
	}
	qsort(sides, s->corner_count, sizeof *sides, compare_sides);
	for (uint32_t i = 0, end; i < s->corner_count; i = end) {
		end = i + 1;
		while (end < s->corner_count && sides[end].low == sides[i].low && sides[end].high == sides[i].high) {
			end++;
		}
		const uint32_t a = sides[i].corner, b = sides[end - 1].corner;
		if (end - i == 2 && points[a] != points[b] && s->corner_faces[a] != s->corner_faces[b]) {
			s->twins[a] = b;
			s->twins[b] = a;
		} else {
			s->odd_edges += end - i > 1;
		}
	}
	snw_arena_destroy(scratch);
}

static void cut_faces(unwrap_surface *s, snw_arena *arena) {
	const snw_mesh *mesh = s->mesh;
	snw_arena *scratch = snw_arena_create();
	uint32_t largest = 3;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		s->triangle_offsets[f + 1] = s->triangle_offsets[f] + count - 2;
		largest = count > largest ? count : largest;
	}
	s->triangle_count = s->triangle_offsets[mesh->face_count];
	s->triangles = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)s->triangle_count);
	uint32_t *space = SNW_NEW_ARRAY(scratch, uint32_t, largest);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		uint32_t *triangles = s->triangles + 3 * (size_t)s->triangle_offsets[f];
		snw_face_triangulate(mesh, f, triangles, space);
		for (uint32_t i = 0; i < 3 * (s->triangle_offsets[f + 1] - s->triangle_offsets[f]); i++) {
			triangles[i] += mesh->face_offsets[f];
		}
	}
	snw_arena_destroy(scratch);
}

unwrap_surface unwrap_surface_make(const snw_mesh *mesh, snw_arena *arena) {
	unwrap_surface s = {.mesh = mesh,
						.corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0,
						.corner_faces = snw_corner_faces(mesh, arena)};
	s.twins = SNW_NEW_ARRAY(arena, uint32_t, s.corner_count);
	s.triangle_offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->face_count + 1);
	find_twins(&s);
	cut_faces(&s, arena);
	return s;
}

/* ---- lengths ------------------------------------------------------------------------------------------------------------- */

void unwrap_triangle_squares(const unwrap_surface *surface, uint32_t triangle, const float *points, double squares[3],
							 double normal[3]) {
	const uint32_t *corners = surface->triangles + 3 * (size_t)triangle;
	double edges[3][3];
	for (int k = 0; k < 3; k++) {
		const float *a = points + 3 * (size_t)surface->mesh->face_points[corners[k]];
		const float *b = points + 3 * (size_t)surface->mesh->face_points[corners[(k + 1) % 3]];
		for (int c = 0; c < 3; c++) {
			edges[k][c] = (double)b[c] - (double)a[c];
		}
		squares[k] = snw_dot3(edges[k], edges[k]);
	}
	if (normal) {
		snw_cross3(edges[0], edges[1], normal);
	}
}

typedef struct averaging {
	const unwrap_surface *surface;
	uint32_t pose_count;
	const float *posed;
	unwrap_lengths lengths;
} averaging;

/* A triangle without area in all poses has the plain means. */
static void average(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const averaging *a = argument;
	(void)thread;
	for (uint32_t t = begin; t < end; t++) {
		double weighted[3] = {0}, plain[3] = {0}, area = 0;
		for (uint32_t p = 0; p < a->pose_count; p++) {
			double squares[3], normal[3];
			unwrap_triangle_squares(a->surface, t, a->posed + 3 * (size_t)p * a->surface->mesh->point_count, squares, normal);
			const double weight = sqrt(snw_dot3(normal, normal)) / 2;
			area += weight;
			for (int k = 0; k < 3; k++) {
				weighted[k] += weight * squares[k];
				plain[k] += squares[k];
			}
		}
		for (int k = 0; k < 3; k++) {
			a->lengths.squares[3 * (size_t)t + k] = area > 0 ? weighted[k] / area : plain[k] / a->pose_count;
		}
		a->lengths.areas[t] = area / a->pose_count;
	}
}

unwrap_lengths unwrap_lengths_make(const unwrap_surface *surface, uint32_t pose_count, const float *posed, snw_arena *arena) {
	averaging a = {surface,
				   pose_count,
				   posed,
				   {SNW_NEW_ARRAY(arena, double, 3 * (size_t)surface->triangle_count),
					SNW_NEW_ARRAY(arena, double, surface->triangle_count)}};
	snw_parallel_for(surface->triangle_count, TRIANGLE_GRAIN, average, &a);
	return a.lengths;
}

/* ---- stretch ------------------------------------------------------------------------------------------------------------- */

void unwrap_stretch_add(const double squares[3], double area, const double *const uvs[3], unwrap_stretch *sum) {
	const double a[2] = {uvs[1][0] - uvs[0][0], uvs[1][1] - uvs[0][1]}, b[2] = {uvs[2][0] - uvs[0][0], uvs[2][1] - uvs[0][1]};
	const double twice = a[0] * b[1] - a[1] * b[0], along = (squares[0] + squares[2] - squares[1]) / 2;
	const double aa = a[0] * a[0] + a[1] * a[1], ab = a[0] * b[0] + a[1] * b[1], bb = b[0] * b[0] + b[1] * b[1];
	/* Γ² + γ² is the trace of the inverse Gram matrix of the UVs times that of the edges. */
	const double trace = bb * squares[0] - 2 * ab * along + aa * squares[2];
	sum->area += area;
	sum->uv_area += fabs(twice) / 2;
	sum->stretched += area == 0 ? 0 : twice != 0 ? area * trace / (2 * twice * twice) : (double)INFINITY;
}

double unwrap_stretch_value(const unwrap_stretch *sum) {
	return sum->area > 0 ? sqrt(sum->stretched * sum->uv_area) / sum->area : 1;
}
