/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each limb is a tube along x, made once and placed at its cell of a square grid.
 */
#include "sample/sample.h"

#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- limbs --------------------------------------------------------------------------------------------------------------- */

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

/* ---- limb ---------------------------------------------------------------------------------------------------------------- */

/* Rings around the z axis, with a radius that varies. */

enum { LIMB_UPPER, LIMB_LOWER, LIMB_JOINTS };

static uint32_t segments_of(uint32_t point_count) {
	return 2 * (uint32_t)fmax(4, round(sqrt(point_count) / 2));
}

static uint32_t across(uint32_t segment, uint32_t segments) {
	return (segments - segment) % segments;
}

static void make_points(snw_mesh *mesh, uint32_t rings, uint32_t segments, snw_arena *arena) {
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)rings * segments);
	for (uint32_t i = 0; i < rings * segments; i++) {
		const uint32_t s = i % segments, other = across(s, segments), ring = i / segments;
		/* Both sides from the same numbers, so that they are reflections to the last bit. */
		const double angle = 2 * M_PI * (s < other ? s : other) / segments, z = 4.0 * ring / (rings - 1) - 2;
		const double radius = 0.5 + 0.1 * cos(5 * z) + 0.02 * cos(40 * z) * cos(16 * angle);
		points[3 * (size_t)i] = s == other ? 0 : (s < other ? 1 : -1) * radius * sin(angle);
		points[3 * (size_t)i + 1] = radius * cos(angle);
		points[3 * (size_t)i + 2] = z;
	}
	mesh->point_count = rings * segments;
	mesh->points_rest = points;
}

static void make_faces(snw_mesh *mesh, uint32_t rings, uint32_t segments, snw_arena *arena) {
	mesh->face_count = (rings - 1) * segments;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->face_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t next = f - f % segments + (f % segments + 1) % segments;
		const uint32_t indices[4] = {f, next, next + segments, f + segments};
		memcpy(corners + 4 * (size_t)f, indices, sizeof indices);
		offsets[f + 1] = 4 * (f + 1);
	}
	mesh->face_offsets = offsets;
	mesh->face_points = corners;
}

/* From one joint to the other over a metre. */
static void find_limb_weights(const double rest[3], double *weights) {
	const double t = fmin(fmax(rest[2] + 0.5, 0), 1), lower = t * t * (3 - 2 * t);
	weights[LIMB_UPPER] = 1 - lower;
	weights[LIMB_LOWER] = lower;
}

static void make_limb_poses(snw_scene *scene) {
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 2);
	poses[0] = *snw_pose_rest(scene, scene->arena);
	poses[1] = *snw_pose_rest(scene, scene->arena);
	poses[1].name = "bent";
	poses[1].rotation_vectors[3 * LIMB_LOWER] = 1.4;
	snw_quat_from_rotation_vector(poses[1].rotation_vectors + 3 * LIMB_LOWER, poses[1].local[LIMB_LOWER].rotation);
	scene->poses = poses;
	scene->pose_count = 2;
}

snw_scene *snw_limb_make(uint32_t point_count) {
	snw_scene *scene = snw_scene_create();
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	const uint32_t segments = segments_of(point_count);
	const uint32_t rings = (uint32_t)fmax(8, round((double)point_count / segments));
	mesh->name = "limb";
	make_points(mesh, rings, segments, scene->arena);
	make_faces(mesh, rings, segments, scene->arena);
	snw_rig_skin(mesh, LIMB_JOINTS, find_limb_weights, scene->arena);
	scene->mesh_count = 1;
	scene->meshes = mesh;
	static const snw_rig_joint joints[LIMB_JOINTS] = {{"upper", SNW_NONE, {0}}, {"lower", LIMB_UPPER, {0}}};
	snw_rig_make(scene, joints, LIMB_JOINTS, NULL); /* cannot fail: one joint below the other */
	make_limb_poses(scene);
	snw_scene_add_baseline(scene);
	return scene;
}

const uint32_t *snw_limb_partners(const snw_mesh *mesh, snw_arena *arena) {
	const uint32_t segments = mesh->face_points[3]; /* a point of the next ring */
	uint32_t *partners = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		partners[i] = i - i % segments + across(i % segments, segments);
	}
	return partners;
}

/* ---- trained limbs ------------------------------------------------------------------------------------------------------- */

/* The samples of which three poses train a skin, after R. Wang, K. Pulli, J. Popović: Real-time enveloping with rotational
 * regression, 2007: the twisting bar and the arm of Figure 13, and the arm with a muscle of Figures 4 and 6. The clip "train"
 * has the three poses, and "test" others between them. Both have targets, by a formula; the poses that train are sculpts
 * too. */

enum { TRAIN_FRAMES = 3, TEST_FRAMES = 24 };
enum { UPPER, LOWER, TWIST_JOINTS };
static const double bar_half = 0.6, bar_radius = 0.1;
/* The muscle at its thickest, metres; where it is; the angle of the elbow that it belongs to. */
static const double muscle_height = 0.022, muscle_centre = 0.14, muscle_width = 0.07, muscle_angle = 2 * M_PI / 3;

/* One of them: what rotates by one angle. */
typedef struct limb {
	snw_status (*make)(snw_scene *scene, snw_mesh *mesh, snw_error *error); /* the mesh and the rig */
	void (*truth)(double angle, const double rest[3], double posed[3]);
	uint32_t joint;                     /* it turns … */
	uint32_t axis;                      /* … about this axis */
	double train_degrees[TRAIN_FRAMES]; /* ascending */
	double test_degrees;                /* the test clip goes up to here */
} limb;

/* ---- the bar ------------------------------------------------------------------------------------------------------------- */

static double radius_of_bar(double x) {
	(void)x;
	return bar_radius;
}

static double share_of_bar(double x) {
	return fmin(fmax((x + bar_half) / (2 * bar_half), 0), 1);
}

static void weigh_bar(const double rest[3], double *weights) {
	weights[LOWER] = share_of_bar(rest[0]);
	weights[UPPER] = 1 - weights[LOWER];
}

/* Of 82 points: the paper's has 80 (Table 1). */
static snw_status make_bar(snw_scene *scene, snw_mesh *mesh, snw_error *error) {
	static const snw_tube tube = {
		.begin = -bar_half, .end = bar_half, .dome = 0.2, .rings = 10, .sides = 8, .radius = radius_of_bar};
	static const snw_rig_joint joints[] = {{"fixed", SNW_NONE, {-bar_half, 0, 0}}, {"twisting", UPPER, {2 * bar_half, 0, 0}}};
	mesh->name = "bar";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, TWIST_JOINTS, weigh_bar, scene->arena);
	return snw_rig_make(scene, joints, TWIST_JOINTS, error);
}

static void twist_limb(double angle, const double rest[3], double posed[3]) {
	posed[0] = rest[0];
	posed[1] = rest[1] * cos(angle) - rest[2] * sin(angle);
	posed[2] = rest[1] * sin(angle) + rest[2] * cos(angle);
}

void snw_twist_bar_truth(double angle, const double rest[3], double posed[3]) {
	twist_limb(angle * share_of_bar(rest[0]), rest, posed);
}

/* ---- the elbow ----------------------------------------------------------------------------------------------------------- */

static double share_of_forearm(double x) {
	return fmin(fmax((x - SNW_ARM_ELBOW) / (SNW_ARM_WRIST - SNW_ARM_ELBOW), 0), 1);
}

static void weigh_elbow(const double rest[3], double *weights) {
	weights[LOWER] = share_of_forearm(rest[0]);
	weights[UPPER] = 1 - weights[LOWER];
}

static snw_status make_elbow(snw_scene *scene, snw_mesh *mesh, snw_error *error) {
	static const snw_tube tube = {.begin = -0.06, .end = 0.71, .dome = 0.8, .rings = 69, .sides = 36, .radius = snw_arm_radius};
	static const snw_rig_joint joints[] = {{"upper", SNW_NONE, {0, 0, 0}}, {"lower", UPPER, {SNW_ARM_ELBOW, 0, 0}}};
	mesh->name = "arm";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, TWIST_JOINTS, weigh_elbow, scene->arena);
	return snw_rig_make(scene, joints, TWIST_JOINTS, error);
}

void snw_elbow_truth(double angle, const double rest[3], double posed[3]) {
	twist_limb(angle * share_of_forearm(rest[0]), rest, posed);
}

/* ---- the arm with a muscle ----------------------------------------------------------------------------------------------- */

static snw_status make_muscle_arm(snw_scene *scene, snw_mesh *mesh, snw_error *error) {
	snw_arm_make_mesh(115, 44, scene->arena, mesh);
	return snw_arm_make_rig(scene, error);
}

void snw_muscle_arm_truth(double angle, const double rest[3], double posed[3]) {
	const double radius = hypot(rest[1], rest[2]);
	const double side = radius > 0 ? fmax(rest[1] / radius, 0) : 0; /* 1 at the inside of the elbow */
	const double height = muscle_height * angle / muscle_angle * side * side * snw_bump(rest[0], muscle_centre, muscle_width);
	const double grown = radius > 0 ? 1 + height / radius : 1, thick[3] = {rest[0], grown * rest[1], grown * rest[2]};
	snw_arm_ground_truth(angle, 0, thick, posed);
}

/* ---- clips and sculpts --------------------------------------------------------------------------------------------------- */

static const limb twist_bar = {make_bar, snw_twist_bar_truth, LOWER, 0, {0, 90, 180}, 180};
static const limb elbow = {make_elbow, snw_elbow_truth, LOWER, 0, {0, 90, 180}, 180};
static const limb muscle_arm = {make_muscle_arm, snw_muscle_arm_truth, SNW_ARM_ELBOW_JOINT, 2, {40, 80, 120}, 120};

/* The poses of the test clip are between those that train: none of them is the same. */
static double limb_angle(const limb *l, bool trains, uint32_t frame) {
	const double degrees = trains ? l->train_degrees[frame] : l->test_degrees * (frame + 0.5) / TEST_FRAMES;
	return degrees * M_PI / 180;
}

static void rotation_vector(const limb *l, double angle, double vector[3]) {
	memset(vector, 0, 3 * sizeof *vector);
	vector[l->axis] = angle;
}

static void make_limb_clip(const limb *l, bool trains, snw_scene *scene, snw_clip *clip, snw_target *target) {
	const uint32_t frames = trains ? TRAIN_FRAMES : TEST_FRAMES;
	const size_t points = scene->meshes[0].point_count;
	const char *name = trains ? "train" : "test";
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, frames), *rotations = SNW_NEW_ARRAY(scene->arena, double, 4 * frames);
	float *posed = SNW_NEW_ARRAY(scene->arena, float, 3 * points * frames);
	for (uint32_t f = 0; f < frames; f++) {
		const double angle = limb_angle(l, trains, f);
		double vector[3];
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		rotation_vector(l, angle, vector);
		snw_quat_from_rotation_vector(vector, rotations + 4 * (size_t)f);
		for (size_t i = 0; i < points; i++) {
			double point[3];
			l->truth(angle, scene->meshes[0].points_rest + 3 * i, point);
			for (size_t c = 0; c < 3; c++) {
				posed[3 * (f * points + i) + c] = (float)point[c];
			}
		}
	}
	snw_track *track = SNW_NEW(scene->arena, snw_track);
	*track = (snw_track){.target = l->joint,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = frames,
						 .seconds = seconds,
						 .values = rotations};
	*clip = (snw_clip){.name = name, .duration_seconds = seconds[frames - 1], .track_count = 1, .tracks = track};
	*target =
		(snw_target){.name = name, .clip = trains ? 0 : 1, .frame_count = frames, .seconds = seconds, .points_posed = posed};
}

/* The poses that train as sculpts of one group; not the rest, which is known. */
static void make_limb_sculpts(const limb *l, snw_scene *scene) {
	const size_t points = scene->meshes[0].point_count;
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 1 + TRAIN_FRAMES);
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, TRAIN_FRAMES);
	snw_member *members = SNW_NEW_ARRAY(scene->arena, snw_member, TRAIN_FRAMES);
	snw_group *group = SNW_NEW(scene->arena, snw_group);
	poses[scene->pose_count++] = *snw_pose_rest(scene, scene->arena);
	for (uint32_t f = 0; f < TRAIN_FRAMES; f++) {
		const double angle = limb_angle(l, true, f);
		if (angle == 0) {
			continue;
		}
		snw_pose *pose = &poses[scene->pose_count];
		*pose = *snw_pose_rest(scene, scene->arena);
		pose->name = snw_arena_format(scene->arena, "turned-%.0f", l->train_degrees[f]);
		rotation_vector(l, angle, pose->rotation_vectors + 3 * (size_t)l->joint);
		snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * (size_t)l->joint, pose->local[l->joint].rotation);
		double *posed = SNW_NEW_ARRAY(scene->arena, double, 3 * points);
		for (size_t i = 0; i < points; i++) {
			l->truth(angle, scene->meshes[0].points_rest + 3 * i, posed + 3 * i);
		}
		members[scene->example_count] = (snw_member){.example = scene->example_count, .mask = SNW_NONE};
		examples[scene->example_count++] =
			(snw_example){.name = pose->name, .pose = scene->pose_count++, .points_posed = posed};
	}
	*group = (snw_group){.name = "turned", .member_count = scene->example_count, .members = members};
	scene->poses = poses;
	scene->examples = examples;
	scene->groups = group;
	scene->group_count = 1;
}

static snw_status make_limb(const limb *l, snw_scene *scene, snw_error *error) {
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	const snw_status status = l->make(scene, mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	scene->mesh_count = 1;
	scene->meshes = mesh;
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, 2);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	make_limb_clip(l, true, scene, &clips[0], &targets[0]);
	make_limb_clip(l, false, scene, &clips[1], &targets[1]);
	scene->clip_count = scene->target_count = 2;
	scene->clips = clips;
	scene->targets = targets;
	make_limb_sculpts(l, scene);
	snw_scene_add_baseline(scene);
	return SNW_OK;
}

snw_status snw_sample_make_twist_bar(snw_scene *scene, snw_error *error) {
	return make_limb(&twist_bar, scene, error);
}

snw_status snw_sample_make_elbow(snw_scene *scene, snw_error *error) {
	return make_limb(&elbow, scene, error);
}

snw_status snw_sample_make_muscle_arm(snw_scene *scene, snw_error *error) {
	return make_limb(&muscle_arm, scene, error);
}
