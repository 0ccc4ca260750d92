/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each limb is a tube along x, made once and placed at its cell of a square grid.
 */
#include "sample/limbs.h"

#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "sample/makers.h"
#include "sample/rig.h"
#include "sample/tube.h"
#include "sinew/algebra.h"

enum { LIMBS_ROOT, LEAST_SIDES = 8, LEAST_RINGS = 8 };
enum { LIMBS_REST, LIMBS_BENT, LIMBS_POSES };

static const double limb_begin = 0.1, limb_end = 0.9; /* of a cell's side */

typedef struct limbs {
	snw_limbs_size size;
	uint32_t columns; /* of the grid */
	double cell;      /* metres */
	snw_arena *arena;
	snw_scene *scene;
} limbs;

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static uint32_t chain_length(const limbs *all, uint32_t limb) {
	const uint32_t joints = all->size.joints - 1;
	return joints / all->size.meshes + (limb < joints % all->size.meshes);
}

static uint32_t chain_first(const limbs *all, uint32_t limb) {
	const uint32_t joints = all->size.joints - 1, longer = joints % all->size.meshes;
	return LIMBS_ROOT + 1 + limb * (joints / all->size.meshes) + (limb < longer ? limb : longer);
}

/* Where a joint of the chain is, along the limb's cell. */
static double chain_place(uint32_t joint, uint32_t length) {
	return limb_begin + (limb_end - limb_begin) * joint / length;
}

static void find_corner(const limbs *all, uint32_t limb, double corner[3]) {
	const uint32_t column = limb % all->columns, row = limb / all->columns;
	corner[0] = all->cell * column - 0.5;
	corner[1] = all->cell * (row + 0.5);
	corner[2] = 0;
}

static snw_status make_limbs_rig(const limbs *all, snw_error *error) {
	snw_rig_joint *joints = SNW_NEW_ARRAY(all->arena, snw_rig_joint, all->size.joints);
	joints[LIMBS_ROOT] = (snw_rig_joint){"root", SNW_NONE, {0}};
	for (uint32_t m = 0; m < all->size.meshes; m++) {
		const uint32_t length = chain_length(all, m), first = chain_first(all, m);
		for (uint32_t j = 0; j < length; j++) {
			snw_rig_joint *made = &joints[first + j];
			made->name = snw_arena_format(all->arena, "limb %u joint %u", m + 1, j + 1);
			made->parent = j == 0 ? (uint32_t)LIMBS_ROOT : first + j - 1;
			if (j == 0) {
				find_corner(all, m, made->translation);
			}
			made->translation[0] += all->cell * (chain_place(j, length) - (j == 0 ? 0 : chain_place(j - 1, length)));
		}
	}
	return snw_rig_make(all->scene, joints, all->size.joints, error);
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static double limb_radius(double x) {
	return 0.12 + 0.02 * cos(20 * M_PI * (x - limb_begin));
}

/* About so many points: quads that are nearly square. */
static snw_tube limb_tube(double points) {
	const double round_to_four = 4 * fmax(2, round(sqrt(points) / 4)), sides = fmax(LEAST_SIDES, round_to_four);
	return (snw_tube){.begin = limb_begin,
					  .end = limb_end,
					  .dome = 0.5,
					  .rings = (uint32_t)fmax(LEAST_RINGS, round(points / sides - sides / 8)),
					  .sides = (uint32_t)sides,
					  .radius = limb_radius};
}

/* From each joint of the chain to the next, over half of a bone. */
static void skin_limb(const limbs *all, uint32_t limb, const snw_mesh *cell, snw_mesh *mesh) {
	const uint32_t length = chain_length(all, limb), first = chain_first(all, limb);
	const double width = 0.5 * (limb_end - limb_begin) / length;
	uint32_t *offsets = SNW_NEW_ARRAY(all->arena, uint32_t, (size_t)cell->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(all->arena, uint32_t, 2 * (size_t)cell->point_count);
	double *weights = SNW_NEW_ARRAY(all->arena, double, 2 * (size_t)cell->point_count);
	uint32_t count = 0;
	for (uint32_t p = 0; p < cell->point_count; p++) {
		const double x = cell->points_rest[3 * (size_t)p];
		uint32_t joint = 0;
		while (joint + 1 < length && x > chain_place(joint + 1, length) - width / 2) {
			joint++;
		}
		const double t = joint == 0 ? 1 : fmin((x - chain_place(joint, length)) / width + 0.5, 1);
		const double passed = t * t * (3 - 2 * t);
		if (passed < 1) {
			slots[count] = first + joint - 1;
			weights[count++] = 1 - passed;
		}
		if (passed > 0) {
			slots[count] = first + joint;
			weights[count++] = passed;
		}
		offsets[p + 1] = count;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

static void make_limb_meshes(const limbs *all) {
	snw_mesh cell = {0};
	snw_mesh *meshes = SNW_NEW_ARRAY(all->arena, snw_mesh, all->size.meshes);
	const snw_tube tube = limb_tube((double)all->size.points / all->size.meshes);
	snw_tube_build(&tube, all->arena, &cell);
	for (uint32_t m = 0; m < all->size.meshes; m++) {
		double corner[3], *points = SNW_NEW_ARRAY(all->arena, double, 3 * (size_t)cell.point_count);
		find_corner(all, m, corner);
		for (size_t i = 0; i < 3 * (size_t)cell.point_count; i++) {
			points[i] = corner[i % 3] + all->cell * cell.points_rest[i];
		}
		meshes[m] = cell;
		meshes[m].name = snw_arena_format(all->arena, "limb %u", m + 1);
		meshes[m].points_rest = points;
		skin_limb(all, m, &cell, &meshes[m]);
	}
	all->scene->meshes = meshes;
	all->scene->mesh_count = all->size.meshes;
}

/* ---- poses and examples -------------------------------------------------------------------------------------------------- */

static void bend_joint(snw_pose *pose, uint32_t joint, double angle) {
	pose->rotation_vectors[3 * (size_t)joint + 2] = angle;
	snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * (size_t)joint, pose->local[joint].rotation);
}

/* The limb's joint that an example bends: each in turn, the first one only where there is no other. */
static uint32_t bent_joint(const limbs *all, uint32_t example) {
	const uint32_t limb = example % all->size.meshes, length = chain_length(all, limb);
	return length < 2 ? 0 : 1 + example / all->size.meshes % (length - 1);
}

static void make_limbs_poses(const limbs *all) {
	const uint32_t count = LIMBS_POSES + all->size.examples;
	snw_pose *poses = SNW_NEW_ARRAY(all->arena, snw_pose, count);
	for (uint32_t i = 0; i < count; i++) {
		poses[i] = *snw_pose_rest(all->scene, all->arena);
	}
	poses[LIMBS_BENT].name = "bent";
	for (uint32_t j = LIMBS_ROOT + 1; j < all->size.joints; j++) {
		bend_joint(&poses[LIMBS_BENT], j, 0.4);
	}
	for (uint32_t e = 0; e < all->size.examples; e++) {
		const uint32_t limb = e % all->size.meshes, bones = chain_length(all, limb) < 2 ? 1 : chain_length(all, limb) - 1;
		const uint32_t again = e / (all->size.meshes * bones); /* how many have bent this joint before */
		poses[LIMBS_POSES + e].name = snw_arena_format(all->arena, "bend %u", e + 1);
		bend_joint(&poses[LIMBS_POSES + e], chain_first(all, limb) + bent_joint(all, e), 0.6 + 0.5 / (1.0 + again));
	}
	all->scene->poses = poses;
	all->scene->pose_count = count;
}

/* The blended rest point. */
static void blend_rest(const snw_mesh *mesh, uint32_t point, const double rest[3], const double *palette, double posed[3]) {
	memset(posed, 0, 3 * sizeof *posed);
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		double image[3];
		snw_mat34_point(palette + 12 * (size_t)mesh->influence_slots[i], rest, image);
		for (int c = 0; c < 3; c++) {
			posed[c] += mesh->influence_weights[i] * image[c];
		}
	}
}

/* A bulge all round the limb where its joint bends. */
static void make_bulge(const limbs *all, uint32_t index, snw_example *example) {
	const snw_scene *scene = all->scene;
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	const double *palette = snw_pose_view_make(scene, &scene->poses[example->pose], all->arena)->palette;
	const uint32_t length = chain_length(all, example->mesh);
	double corner[3], *points = SNW_NEW_ARRAY(all->arena, double, 3 * (size_t)mesh->point_count);
	uint32_t *edited = SNW_NEW_ARRAY(all->arena, uint32_t, mesh->point_count);
	find_corner(all, example->mesh, corner);
	const double middle = corner[0] + all->cell * chain_place(bent_joint(all, index), length);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const double *rest = mesh->points_rest + 3 * (size_t)p, away = (rest[0] - middle) / (0.15 * all->cell);
		const double grown = 1 + (fabs(away) < 1 ? 0.3 * (1 - away * away) : 0);
		const double bulged[3] = {rest[0], corner[1] + grown * (rest[1] - corner[1]), grown * rest[2]};
		blend_rest(mesh, p, bulged, palette, points + 3 * (size_t)p);
		if (grown > 1) {
			edited[example->edited_count++] = p;
		}
	}
	example->points_posed = points;
	example->edited = edited;
}

/* Examples are in the order of their groups' joints: each limb's in turn. */
static void make_limbs_examples(const limbs *all) {
	snw_scene *scene = all->scene;
	const uint32_t count = all->size.examples;
	snw_example *examples = SNW_NEW_ARRAY(all->arena, snw_example, count);
	snw_group *groups = SNW_NEW_ARRAY(all->arena, snw_group, count);
	uint32_t *of_joint = SNW_NEW_ARRAY(all->arena, uint32_t, all->size.joints); /* its group and one; 0: none yet */
	for (uint32_t e = 0; e < count; e++) {
		const uint32_t limb = e % all->size.meshes, joint = chain_first(all, limb) + bent_joint(all, e);
		examples[e] = (snw_example){.name = scene->poses[LIMBS_POSES + e].name, .pose = LIMBS_POSES + e, .mesh = limb};
		make_bulge(all, e, &examples[e]);
		if (of_joint[joint] == 0) {
			uint32_t *joints = SNW_NEW(all->arena, uint32_t);
			*joints = joint;
			groups[scene->group_count++] = (snw_group){.name = scene->skeleton.names[joint],
													   .joint_count = 1,
													   .joints = joints,
													   .members = SNW_NEW_ARRAY(all->arena, snw_member, count)};
			of_joint[joint] = scene->group_count;
		}
		snw_group *group = &groups[of_joint[joint] - 1];
		((snw_member *)(uintptr_t)group->members)[group->member_count++] = (snw_member){.example = e, .mask = SNW_NONE};
	}
	scene->examples = examples;
	scene->example_count = count;
	scene->groups = groups;
}

/* ---- the character ------------------------------------------------------------------------------------------------------- */

snw_status snw_limbs_make(snw_scene *scene, const snw_limbs_size *size, snw_error *error) {
	const uint32_t columns = (uint32_t)ceil(sqrt(size->meshes));
	const limbs all = {.size = *size, .columns = columns, .cell = 1.0 / columns, .arena = scene->arena, .scene = scene};
	const snw_status status = make_limbs_rig(&all, error);
	if (!snw_failed(status)) {
		make_limb_meshes(&all);
		make_limbs_poses(&all);
		make_limbs_examples(&all);
		snw_scene_add_baseline(scene);
	}
	return status;
}

snw_status snw_sample_make_limbs(snw_scene *scene, snw_error *error) {
	return snw_limbs_make(scene, &(snw_limbs_size){.points = 10000, .meshes = 100, .joints = 300, .examples = 200}, error);
}
