/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

/* The arc covers this much of the axis to each side of the elbow. */
#define SNW_ARM_ARC 0.042
/* The largest angles in the clips and the sculpts, radians: 130° and 150°. */
#define SNW_ARM_BEND_MOST 2.2689280275926285
#define SNW_ARM_TWIST_MOST 2.6179938779914944

/* ---- ground truth -------------------------------------------------------------------------------------------------------- */

/* The distance of the elbow's pivot from the axis, toward the inside of the bend (+y). A pivot on the axis would need a
 * shorter axis than the arc has. With this one the arc ends on the skeleton's forearm at rest and at 115°. At other angles
 * it ends some millimetres off, which the forearm compensates up to the wrist: the hand is always where the skeleton puts
 * it.
 * The end of the rigid forearm meets the end of the arc if 2a/θ · tan(θ/2) = a + p tan(θ/2), both measured from the corner
 * in which the axes of the two halves meet. Solved for p. */
static double arm_pivot(void) {
	const double half = 57.5 * M_PI / 180;
	return SNW_ARM_ARC * (1 / half - 1 / tan(half));
}

/* sin(α)/α and (1 − cos α)/α, also at α = 0. */
static double sine_ratio(double angle) {
	return fabs(angle) < 1e-6 ? 1 : sin(angle) / angle;
}

static double versine_ratio(double angle) {
	return fabs(angle) < 1e-6 ? angle / 2 : (1 - cos(angle)) / angle;
}

static double clamp_share(double x, double from, double to) {
	return fmin(fmax((x - from) / (to - from), 0), 1);
}

/* The axis at `along`: straight, the arc, straight again. Returns the angle of its tangent. */
static double arc_axis(double bend, double along, double axis[2]) {
	const double start = SNW_ARM_ELBOW - SNW_ARM_ARC;
	const double in_arc = fmin(fmax(along - start, 0), 2 * SNW_ARM_ARC);
	const double angle = bend * in_arc / (2 * SNW_ARM_ARC);
	const double beyond = fmax(along - start - 2 * SNW_ARM_ARC, 0);
	axis[0] = fmin(along, start) + in_arc * sine_ratio(angle) + beyond * cos(angle);
	axis[1] = in_arc * versine_ratio(angle) + beyond * sin(angle);
	return angle;
}

/* The distance of the skeleton's wrist from the end of the arc's tangent. */
static void wrist_gap(double bend, double gap[2]) {
	const double pivot = arm_pivot(), forearm = SNW_ARM_WRIST - SNW_ARM_ELBOW;
	double wrist[2];
	arc_axis(bend, SNW_ARM_WRIST, wrist);
	gap[0] = SNW_ARM_ELBOW + forearm * cos(bend) + pivot * sin(bend) - wrist[0];
	gap[1] = pivot + forearm * sin(bend) - pivot * cos(bend) - wrist[1];
}

/* The cross-section at a place along the arm: its middle, and the sines and cosines of its rotations. */
typedef struct cross_section {
	double middle[2], bend[2], twist[2];
} cross_section;

static cross_section cross_section_at(double bend, double twist, double along) {
	const double share = clamp_share(along, SNW_ARM_ELBOW, SNW_ARM_WRIST), smooth = share * share * (3 - 2 * share);
	const double twist_angle = twist * share;
	double axis[2], gap[2];
	const double angle = arc_axis(bend, along, axis);
	wrist_gap(bend, gap);
	return (cross_section){.middle = {axis[0] + smooth * gap[0], axis[1] + smooth * gap[1]},
						   .bend = {sin(angle), cos(angle)},
						   .twist = {sin(twist_angle), cos(twist_angle)}};
}

static void place_on_section(const cross_section *at, const double point_rest[3], double point_posed[3]) {
	const double y = point_rest[1] * at->twist[1] - point_rest[2] * at->twist[0];
	point_posed[2] = point_rest[1] * at->twist[0] + point_rest[2] * at->twist[1];
	point_posed[0] = at->middle[0] - y * at->bend[0];
	point_posed[1] = at->middle[1] + y * at->bend[1];
}

void snw_arm_ground_truth(double bend, double twist, const double point_rest[3], double point_posed[3]) {
	const cross_section at = cross_section_at(bend, twist, point_rest[0]);
	place_on_section(&at, point_rest, point_posed);
}

/* Of all points of a mesh: those of a ring share a cross-section, whose sines would take most of the time. */
static void pose_mesh(double bend, double twist, const snw_mesh *mesh, double *points_posed) {
	cross_section at = {0};
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i += 3) {
		const double *rest = mesh->points_rest + i;
		if (i == 0 || rest[0] != rest[-3]) {
			at = cross_section_at(bend, twist, rest[0]);
		}
		place_on_section(&at, rest, points_posed + i);
	}
}

/* ---- shape --------------------------------------------------------------------------------------------------------------- */

double snw_bump(double x, double centre, double width) {
	const double t = (x - centre) / width;
	return exp(-t * t);
}

/* From 0 to 1 between two places, level at both ends. */
static double smooth_step(double x, double from, double to) {
	const double t = fmin(fmax((x - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

double snw_arm_radius(double x) {
	return 0.034 + 0.010 * snw_bump(x, 0.13, 0.09) + 0.008 * snw_bump(x, 0.42, 0.07) - 0.008 * smooth_step(x, 0.45, 0.57) +
		   0.009 * snw_bump(x, 0.66, 0.05);
}

snw_status snw_arm_make_rig(snw_scene *scene, snw_error *error) {
	const double pivot = arm_pivot();
	const snw_rig_joint joints[SNW_ARM_JOINTS] = {{"shoulder", SNW_NONE, {0, 0, 0}},
												  {"elbow", SNW_ARM_SHOULDER_JOINT, {SNW_ARM_ELBOW, pivot, 0}},
												  {"wrist", SNW_ARM_ELBOW_JOINT, {SNW_ARM_WRIST - SNW_ARM_ELBOW, -pivot, 0}}};
	return snw_rig_make(scene, joints, SNW_ARM_JOINTS, error);
}

/* The elbow begins around its joint, the wrist at the middle of the forearm. */
static void find_arm_weights(const double rest[3], double *weights) {
	const double below = smooth_step(rest[0], SNW_ARM_ELBOW - 0.07, SNW_ARM_ELBOW + 0.07);
	const double wrist = smooth_step(rest[0], 0.43, 0.61);
	weights[SNW_ARM_SHOULDER_JOINT] = 1 - below;
	weights[SNW_ARM_ELBOW_JOINT] = below * (1 - wrist);
	weights[SNW_ARM_WRIST_JOINT] = below * wrist;
}

void snw_arm_make_mesh(uint32_t rings, uint32_t sides, snw_arena *arena, snw_mesh *mesh) {
	const snw_tube tube = {.begin = -0.06, .end = 0.71, .dome = 0.8, .rings = rings, .sides = sides, .radius = snw_arm_radius};
	*mesh = (snw_mesh){.name = "arm"};
	snw_tube_build(&tube, arena, mesh);
	snw_rig_skin(mesh, SNW_ARM_JOINTS, find_arm_weights, arena);
}

/* ---- the character ------------------------------------------------------------------------------------------------------- */

/* The sample arm: shoulder, elbow and wrist. Its linear blend collapses at the elbow and shows the candy-wrapper artifact
 * toward the wrist. Its targets and two sculpts come from the ground truth. */

enum { ELBOW = SNW_ARM_ELBOW_JOINT, WRIST = SNW_ARM_WRIST_JOINT };
enum { ARM_FRAMES = 25 };

/* How often the angles of a clip go from 0 to their largest values and back. */
typedef struct motion {
	const char *name;
	double bend_cycles, twist_cycles;
} motion;

static const motion motions[] = {{"bend", 1, 0}, {"twist", 0, 1}, {"both", 1, 2}};
enum { MOTION_COUNT = sizeof motions / sizeof *motions };

static const struct {
	const char *pose, *group; /* the example has the name of its pose */
	double bend, twist;
} sculpts[] = {
	{"elbow-130", "elbow", SNW_ARM_BEND_MOST, 0},
	{"wrist-150", "wrist", 0, SNW_ARM_TWIST_MOST},
};
enum { SCULPT_COUNT = sizeof sculpts / sizeof *sculpts };

static void make_arm_mesh(snw_scene *scene, uint32_t rings, uint32_t sides) {
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	snw_arm_make_mesh(rings, sides, scene->arena, mesh);
	mesh->face_materials = SNW_NEW_ARRAY(scene->arena, uint32_t, mesh->face_count); /* all 0 */
	scene->mesh_count = 1;
	scene->meshes = mesh;
	snw_material *material = SNW_NEW(scene->arena, snw_material);
	*material = (snw_material){.name = "skin",
							   .base_color = {0.72, 0.45, 0.35, 1},
							   .roughness = 0.55,
							   .base_color_image = SNW_NONE,
							   .metallic_roughness_image = SNW_NONE,
							   .normal_image = SNW_NONE,
							   .emissive_image = SNW_NONE,
							   .alpha_cutoff = 0.5};
	scene->material_count = 1;
	scene->materials = material;
}

static double cycle(double most, double cycles, double share) {
	return most * (1 - cos(2 * M_PI * cycles * share)) / 2;
}

static void angles_at(const motion *m, uint32_t frame, double *bend, double *twist) {
	const double share = (double)frame / (ARM_FRAMES - 1);
	*bend = cycle(SNW_ARM_BEND_MOST, m->bend_cycles, share);
	*twist = cycle(SNW_ARM_TWIST_MOST, m->twist_cycles, share);
}

static double *key_times(snw_arena *arena) {
	double *seconds = SNW_NEW_ARRAY(arena, double, ARM_FRAMES);
	for (uint32_t f = 0; f < ARM_FRAMES; f++) {
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
	}
	return seconds;
}

static void make_track(snw_track *track, uint32_t joint, const double *seconds, double *rotations) {
	*track = (snw_track){.target = joint,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = ARM_FRAMES,
						 .seconds = seconds,
						 .values = rotations};
}

static void make_arm_clip(const motion *m, snw_arena *arena, snw_clip *clip) {
	double *seconds = key_times(arena);
	double *bends = SNW_NEW_ARRAY(arena, double, 4 * ARM_FRAMES), *twists = SNW_NEW_ARRAY(arena, double, 4 * ARM_FRAMES);
	for (uint32_t f = 0; f < ARM_FRAMES; f++) {
		double bend, twist;
		angles_at(m, f, &bend, &twist);
		snw_quat_from_rotation_vector((const double[3]){0, 0, bend}, bends + 4 * f);
		snw_quat_from_rotation_vector((const double[3]){twist, 0, 0}, twists + 4 * f);
	}
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, 2);
	make_track(&tracks[0], ELBOW, seconds, bends);
	make_track(&tracks[1], WRIST, seconds, twists);
	*clip = (snw_clip){.name = m->name, .duration_seconds = seconds[ARM_FRAMES - 1], .track_count = 2, .tracks = tracks};
}

static void make_arm_target(const snw_scene *scene, uint32_t clip, snw_target *target) {
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	float *points = SNW_NEW_ARRAY(scene->arena, float, ARM_FRAMES *numbers);
	double *posed = SNW_NEW_ARRAY(scene->arena, double, numbers);
	for (uint32_t f = 0; f < ARM_FRAMES; f++) {
		double bend, twist;
		angles_at(&motions[clip], f, &bend, &twist);
		pose_mesh(bend, twist, mesh, posed);
		for (size_t i = 0; i < numbers; i++) {
			points[f * numbers + i] = (float)posed[i];
		}
	}
	*target = (snw_target){.name = motions[clip].name,
						   .mesh = 0,
						   .clip = clip,
						   .frame_count = ARM_FRAMES,
						   .seconds = key_times(scene->arena),
						   .points_posed = points};
}

static void make_clips(snw_scene *scene) {
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, MOTION_COUNT);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, MOTION_COUNT);
	for (uint32_t m = 0; m < MOTION_COUNT; m++) {
		make_arm_clip(&motions[m], scene->arena, &clips[m]);
		make_arm_target(scene, m, &targets[m]);
	}
	scene->clip_count = scene->target_count = MOTION_COUNT;
	scene->clips = clips;
	scene->targets = targets;
}

static void pose_arm(const snw_scene *scene, const char *name, double bend, double twist, snw_pose *pose) {
	*pose = *snw_pose_rest(scene, scene->arena);
	pose->name = name;
	pose->rotation_vectors[3 * ELBOW + 2] = bend;
	pose->rotation_vectors[3 * WRIST] = twist;
	snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * ELBOW, pose->local[ELBOW].rotation);
	snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * WRIST, pose->local[WRIST].rotation);
}

static void make_arm_sculpts(snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 2 + SCULPT_COUNT);
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, SCULPT_COUNT);
	snw_group *groups = SNW_NEW_ARRAY(scene->arena, snw_group, SCULPT_COUNT);
	poses[0] = *snw_pose_rest(scene, scene->arena);
	for (uint32_t s = 0; s < SCULPT_COUNT; s++) {
		pose_arm(scene, sculpts[s].pose, sculpts[s].bend, sculpts[s].twist, &poses[1 + s]);
		double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)mesh->point_count);
		pose_mesh(sculpts[s].bend, sculpts[s].twist, mesh, points);
		examples[s] = (snw_example){.name = sculpts[s].pose, .pose = 1 + s, .mesh = 0, .points_posed = points};
		snw_member *member = SNW_NEW(scene->arena, snw_member);
		*member = (snw_member){.example = s, .mask = SNW_NONE};
		groups[s] = (snw_group){.name = sculpts[s].group, .member_count = 1, .members = member};
	}
	pose_arm(scene, "both", SNW_ARM_BEND_MOST, SNW_ARM_TWIST_MOST, &poses[1 + SCULPT_COUNT]);
	scene->poses = poses;
	scene->pose_count = 2 + SCULPT_COUNT;
	scene->examples = examples;
	scene->groups = groups;
	scene->example_count = scene->group_count = SCULPT_COUNT;
}

snw_status snw_sample_make_arm_of(snw_scene *scene, uint32_t rings, uint32_t sides, snw_error *error) {
	const snw_status status = snw_arm_make_rig(scene, error);
	if (snw_failed(status)) {
		return status;
	}
	make_arm_mesh(scene, rings, sides);
	make_clips(scene);
	make_arm_sculpts(scene);
	snw_scene_add_baseline(scene);
	return SNW_OK;
}

snw_status snw_sample_make_arm(snw_scene *scene, snw_error *error) {
	return snw_sample_make_arm_of(scene, 150, 64, error);
}

snw_status snw_sample_make_small_arm(snw_scene *scene, snw_error *error) {
	return snw_sample_make_arm_of(scene, 75, 32, error);
}

snw_status snw_sample_make_tiny_arm(snw_scene *scene, snw_error *error) {
	return snw_sample_make_arm_of(scene, 38, 16, error);
}
