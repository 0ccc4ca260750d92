/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Assimp loses of Collada and of other formats: skins without a bind shape matrix, morphs, skins over morphs; the
 * skeletons of Inter-Quake and MilkShape models.
 */
#include <math.h>

#include "check.h"
#include "import/import.h"
#include "pose/pose.h"

#define HEAD                                                                                                                   \
	"<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset>"         \
	"<unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset><!-- <skin source=\"#none\"> -->"
#define FLOATS(id, count, stride, numbers)                                                                                     \
	"<source id=\"" id "\"><float_array id=\"" id "-a\" count=\"" #count "\">" numbers                                         \
	"</float_array><technique_common><accessor source=\"#" id "-a\" count=\"4\" stride=\"" #stride                             \
	"\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"     \
	"</technique_common></source>"
#define GEOMETRY(id, numbers)                                                                                                  \
	"<geometry id=\"" id "\"><mesh>" FLOATS(                                                                                   \
		id "-p", 12, 3, numbers) "<vertices id=\"" id "-v\"><input semantic=\"POSITION\" "                                     \
								 "source=\"#" id                                                                               \
								 "-p\"/></vertices><polylist count=\"1\"><input semantic=\"VERTEX\" source=\"#" id             \
								 "-v\" offset=\"0\"/><vcount>4</vcount><p>0 1 2 3</p></polylist></mesh></geometry>"
#define GEOMETRIES                                                                                                             \
	"<library_geometries>" GEOMETRY("body", "0 0 0 1 0 0 1 1 0 0 1 0")                                                         \
		GEOMETRY("wide", "0 0 0 1 0 0 3 1 0 0 1 0") "</library_geometries>"
#define MORPH(method)                                                                                                          \
	"<controller id=\"mo\"><morph source=\"#body\" method=\"" method "\"><source id=\"mt\"><IDREF_array id=\"mta\" "           \
	"count=\"1\">wide</IDREF_array></source><source id=\"mw\"><float_array id=\"mwa\" count=\"1\">0.25</float_array></source>" \
	"<targets><input semantic=\"MORPH_TARGET\" source=\"#mt\"/><input semantic=\"MORPH_WEIGHT\" source=\"#mw\"/></targets>"    \
	"</morph></controller>"
/* Half of the points follow each of two joints. */
#define SKIN(source)                                                                                                           \
	"<controller id=\"sk\"><skin source=\"#" source "\"><source id=\"j\"><Name_array id=\"ja\" count=\"2\">root tip"           \
	"</Name_array><technique_common><accessor source=\"#ja\" count=\"2\" stride=\"1\"><param name=\"JOINT\" type=\"name\"/>"   \
	"</accessor></technique_common></source><source id=\"b\"><float_array id=\"ba\" count=\"32\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 " \
	"0 1 "                                                                                                                     \
	"1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source=\"#ba\" count=\"2\" "                    \
	"stride=\"16\"><param "                                                                                                    \
	"name=\"M\" type=\"float4x4\"/></accessor></technique_common></source><source id=\"w\"><float_array id=\"wa\" "            \
	"count=\"1\">1</float_array><technique_common><accessor source=\"#wa\" count=\"1\" stride=\"1\"><param name=\"WEIGHT\" "   \
	"type=\"float\"/></accessor></technique_common></source><joints><input semantic=\"JOINT\" source=\"#j\"/><input "          \
	"semantic=\"INV_BIND_MATRIX\" source=\"#b\"/></joints><vertex_weights count=\"4\"><input semantic=\"JOINT\" "              \
	"source=\"#j\" "                                                                                                           \
	"offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/><vcount>1 1 1 1</vcount><v>0 0 0 0 1 0 1 0</v>"      \
	"</vertex_weights></skin></controller>"
#define SCENE(instance)                                                                                                        \
	"<library_visual_scenes><visual_scene id=\"s\"><node id=\"root\" sid=\"root\" type=\"JOINT\"><node id=\"tip\" "            \
	"sid=\"tip\" "                                                                                                             \
	"type=\"JOINT\"><translate>0 1 0</translate></node></node><node id=\"n\">" instance                                        \
	"</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
#define CONTROLLERS(text) "<library_controllers>" text "</library_controllers>"

static snw_status import_text(const char *text, snw_scene **scene, snw_error *error) {
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("made.dae"));
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	const snw_import_request request = {.file = path};
	return snw_import(&request, NULL, scene, error);
}

static snw_scene *read_text(const char *text) {
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(import_text(text, &scene, &error), error);
	return scene;
}

/* The square, whichever order its points have. */
static void check_square(const snw_mesh *mesh) {
	assert_int_equal(mesh->point_count, 4);
	double low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
	for (size_t i = 0; i < 12; i++) {
		low[i % 3] = fmin(low[i % 3], mesh->points_rest[i]);
		high[i % 3] = fmax(high[i % 3], mesh->points_rest[i]);
	}
	const double expected[2][3] = {{0, 0, 0}, {1, 1, 0}};
	assert_memory_equal(low, expected[0], sizeof low);
	assert_memory_equal(high, expected[1], sizeof high);
}

/* One point goes two to the right, from where the square has its corner. */
static void check_wide(const snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->morph_count, 1);
	const snw_morph *morph = &mesh->morphs[0];
	assert_string_equal(morph->name, "wide");
	assert_true(scene->channels[0].initial == 0.25);
	assert_int_equal(morph->count, 1);
	const double *point = mesh->points_rest + 3 * (size_t)morph->points[0];
	assert_true(point[0] == 1 && point[1] == 1 && morph->vectors[0] == 2 && morph->vectors[1] == 0 && morph->vectors[2] == 0);
}

static void skin_without_bind_shape_matrix_has_the_identity(void **unused) {
	(void)unused;
	snw_scene *scene = read_text(HEAD GEOMETRIES CONTROLLERS(SKIN("body")) SCENE("<instance_controller url=\"#sk\"/>"));
	check_square(&scene->meshes[0]);
	assert_int_equal(scene->slot_count, 2);
	snw_scene_destroy(scene);
}

/* Blanks before the first number or name of each element change nothing. */
static void elements_that_begin_with_blanks_are_read(void **unused) {
	(void)unused;
	static const char text[] =
		HEAD "<library_effects><effect id=\"e\"><profile_COMMON><technique><phong><diffuse><color>1 0.5 0.25 1</color>"
			 "</diffuse></phong></technique></profile_COMMON></effect></library_effects>" GEOMETRIES CONTROLLERS(SKIN("body"))
				 SCENE("<instance_controller url=\"#sk\"/>");
	char blanks[2 * sizeof text], *to = blanks;
	for (const char *from = text; *from; from++) {
		*to++ = *from;
		if (*from == '>' && from[1] && from[1] != '<') {
			to = stpcpy(to, " \n\t");
		}
	}
	*to = '\0';
	snw_scene *scenes[] = {read_text(text), read_text(blanks)};
	check_square(&scenes[1]->meshes[0]);
	const snw_mesh *clean = &scenes[0]->meshes[0], *blank = &scenes[1]->meshes[0];
	assert_memory_equal(blank->influence_offsets, clean->influence_offsets, 5 * sizeof *clean->influence_offsets);
	assert_memory_equal(blank->influence_slots, clean->influence_slots, 4 * sizeof *clean->influence_slots);
	snw_scene_destroy(scenes[0]);
	snw_scene_destroy(scenes[1]);
}

static void morph_is_a_morph_target(void **unused) {
	(void)unused;
	snw_scene *scene = read_text(HEAD GEOMETRIES CONTROLLERS(MORPH("NORMALIZED"))
									 SCENE("<instance_controller url=\"#mo\"><bind_material/></instance_controller>"));
	assert_int_equal(scene->mesh_count, 1);
	check_square(&scene->meshes[0]);
	check_wide(scene);
	snw_scene_destroy(scene);
}

#define CURVE(target, interpolation)                                                                                           \
	"<library_animations><animation><source id=\"ct\"><float_array id=\"cta\" count=\"3\">0 0.5 2</float_array></source>"      \
	"<source id=\"cv\"><float_array id=\"cva\" count=\"3\">0.25 1 0</float_array></source><source id=\"ci\"><Name_array "      \
	"id=\"cia\" count=\"3\">" interpolation " " interpolation " " interpolation "</Name_array></source><sampler id=\"cs\">"    \
	"<input semantic=\"INPUT\" source=\"#ct\"/><input semantic=\"OUTPUT\" source=\"#cv\"/><input "                             \
	"semantic=\"INTERPOLATION\" source=\"#ci\"/></sampler><channel source=\"#cs\" target=\"" target                            \
	"\"/></animation></library_animations>"

static void curve_of_a_morphs_weight_is_a_clip(void **unused) {
	(void)unused;
	snw_scene *scenes[] = {
		read_text(HEAD CURVE("mo/mw(0)", "LINEAR") GEOMETRIES CONTROLLERS(MORPH("NORMALIZED"))
					  SCENE("<instance_controller url=\"#mo\"/>")),
		read_text(HEAD CURVE("mw(0)", "STEP") GEOMETRIES CONTROLLERS(MORPH("NORMALIZED") SKIN("mo"))
					  SCENE("<instance_controller url=\"#sk\"/>")),
		read_text(HEAD CURVE("mo/mw(1)", "LINEAR") GEOMETRIES CONTROLLERS(MORPH("NORMALIZED"))
					  SCENE("<instance_controller url=\"#mo\"/>")),
	};
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(scenes[i]->clip_count, 1);
		const snw_clip *clip = &scenes[i]->clips[0];
		assert_true(clip->duration_seconds == 2 && clip->track_count == 1);
		const snw_track *track = &clip->tracks[0];
		const double seconds[] = {0, 0.5, 2}, weights[] = {0.25, 1, 0};
		assert_int_equal(track->path, SNW_PATH_CHANNEL);
		assert_int_equal(track->interpolation, i == 0 ? SNW_LINEAR : SNW_STEP);
		assert_int_equal(track->key_count, 3);
		assert_memory_equal(track->seconds, seconds, sizeof seconds);
		assert_memory_equal(track->values, weights, sizeof weights);
	}
	assert_int_equal(scenes[2]->clip_count, 0); /* there is no second target */
	for (size_t i = 0; i < 3; i++) {
		snw_scene_destroy(scenes[i]);
	}
}

/* ---- animations ---------------------------------------------------------------------------------------------------------- */

#define NUMBERS(id, count, stride, param, numbers)                                                                             \
	"<source id=\"" id "\"><float_array id=\"" id "-a\" count=\"" #count "\">" numbers                                         \
	"</float_array><technique_common><accessor source=\"#" id "-a\" count=\"2\" stride=\"" #stride "\"><param name=\"" param   \
	"\" type=\"float\"/></accessor></technique_common></source>"
/* The angle of a joint about an axis, from 0 at 0 to 90 degrees at 1. */
#define TURN(id, target, kind, times, tangents)                                                                                \
	"<animation id=\"" id "\" name=\"" id "\">" NUMBERS(id "-t", 2, 1, "TIME", times)                                          \
		NUMBERS(id "-v", 2, 1, "ANGLE", "0 90") "<source id=\"" id "-k\"><Name_array id=\"" id "-ka\" count=\"2\">" kind       \
												" " kind "</Name_array></source>" tangents "<sampler id=\"" id                 \
												"-s\"><input semantic=\"INPUT\" source=\"#" id                                 \
												"-t\"/><input semantic=\"OUTPUT\" source=\"#" id                               \
												"-v\"/><input semantic=\"INTERPOLATION\" source=\"#" id                        \
												"-k\"/><input semantic=\"IN_TANGENT\" source=\"#" id                           \
												"-i\"/><input semantic=\"OUT_TANGENT\" source=\"#" id                          \
												"-o\"/></sampler><channel source=\"#" id "-s\" target=\"" target               \
												"\"/></animation>"
#define TURNING_SCENE                                                                                                          \
	"<library_visual_scenes><visual_scene id=\"s\"><node id=\"root\" sid=\"root\" type=\"JOINT\"><rotate sid=\"rx\">1 0 0 0"   \
	"</rotate><rotate sid=\"rz\">0 0 1 0</rotate><node id=\"tip\" sid=\"tip\" type=\"JOINT\"><translate>0 1 0</translate>"     \
	"<rotate sid=\"rz\">0 0 1 0</rotate></node></node><node id=\"n\"><instance_controller url=\"#sk\"/></node></visual_scene>" \
	"</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"

/* A character with animations and clips, in pieces that every compiler takes. */
static snw_status import_turning(const char *animations, const char *further, const char *clips, snw_scene **scene,
								 snw_error *error) {
	static char text[20000];
	snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", HEAD, "<library_animations>", animations, further,
			 "</library_animations>" GEOMETRIES, CONTROLLERS(SKIN("body")), clips, TURNING_SCENE);
	return import_text(text, scene, error);
}

static snw_scene *read_turning(const char *animations, const char *further, const char *clips) {
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(import_turning(animations, further, clips, &scene, &error), error);
	return scene;
}

/* The angle of a joint's rotation at a moment, in degrees. */
static double angle_at(const snw_scene *scene, uint32_t clip, const char *joint, double seconds) {
	snw_pose *pose = snw_pose_sample(scene, clip, seconds, scene->arena);
	const double *v = pose->rotation_vectors + 3 * (size_t)snw_scene_find_joint(scene, joint);
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * 180 / acos(-1);
}

/* Control points at (0.5, 0) and (0.5, 90): t(u) = 1.5 u (1 - u) + u^3 and v(u) = 90 (3 u^2 - 2 u^3). At u = 1/4 that is
 * 0.296875 and 14.0625. Hermite's tangents (1, 0) have their control points a third of the way off: v is the same over t = u.
 */
static void curves_between_keys_are_followed(void **unused) {
	(void)unused;
	snw_scene *bezier = read_turning(TURN("a", "root/rz.ANGLE", "BEZIER", "0 1",
										  NUMBERS("a-i", 4, 2, "X", "0 0 0.5 90") NUMBERS("a-o", 4, 2, "X", "0.5 0 1 90")),
									 "", "");
	assert_int_equal(bezier->clip_count, 1);
	assert_string_equal(bezier->clips[0].name, "a");
	check_near(angle_at(bezier, 0, "root", 0.296875), 14.0625, 0.02);
	check_near(angle_at(bezier, 0, "root", 0.5), 45, 0.02);
	check_near(angle_at(bezier, 0, "root", 1), 90, 1e-3);
	snw_scene_destroy(bezier);
	snw_scene *hermite = read_turning(
		TURN("a", "root/rz.ANGLE", "HERMITE", "0 1", NUMBERS("a-i", 4, 2, "X", "1 0 1 0") NUMBERS("a-o", 4, 2, "X", "1 0 1 0")),
		"", "");
	check_near(angle_at(hermite, 0, "root", 0.25), 14.0625, 0.02);
	snw_scene_destroy(hermite);
	/* Without tangents the line is straight. */
	snw_scene *straight = read_turning(TURN("a", "root/rz.ANGLE", "BEZIER", "0 1", ""), "", "");
	check_near(angle_at(straight, 0, "root", 0.25), 22.5, 0.01);
	snw_scene_destroy(straight);
}

/* Two angles of one joint and one of another, which end at different times: Assimp alone makes three clips of them. */
static void animations_of_a_file_without_clips_are_one(void **unused) {
	(void)unused;
	snw_scene *scene =
		read_turning(TURN("a", "root/rz.ANGLE", "LINEAR", "0 1", "") TURN("b", "root/rx.ANGLE", "LINEAR", "0 2", ""),
					 TURN("c", "tip/rz.ANGLE", "LINEAR", "0 3", ""), "");
	assert_int_equal(scene->clip_count, 1);
	check_near(scene->clips[0].duration_seconds, 3, 1e-6);
	check_near(angle_at(scene, 0, "tip", 1), 30, 0.01);
	check_near(angle_at(scene, 0, "root", 2), 120, 0.01); /* 90 degrees about z and about x: a third of a turn */
	snw_scene_destroy(scene);
}

static void clips_of_a_file_have_their_names_and_parts(void **unused) {
	(void)unused;
	snw_scene *scene = read_turning(
		TURN("a", "root/rz.ANGLE", "LINEAR", "0 1", ""),
		"<animation id=\"both\">" TURN("b", "tip/rz.ANGLE", "LINEAR", "0 2", "") "</animation>",
		"<library_animation_clips><animation_clip id=\"x\" name=\"walk\"><instance_animation url=\"#a\"/></animation_clip>"
		"<animation_clip id=\"run\" start=\"1\" end=\"2\"><instance_animation url=\"#a\"/><instance_animation "
		"url=\"#both\"/></animation_clip></library_animation_clips>");
	assert_int_equal(scene->clip_count, 2);
	assert_string_equal(scene->clips[0].name, "walk");
	assert_string_equal(scene->clips[1].name, "run");
	check_near(scene->clips[1].duration_seconds, 1, 1e-6);
	check_near(angle_at(scene, 0, "root", 0.5), 45, 0.01);
	check_near(angle_at(scene, 0, "tip", 1), 0, 0.01);
	check_near(angle_at(scene, 1, "tip", 0.5), 67.5, 0.01);
	snw_scene_destroy(scene);
	/* Outer animations that move the same joint cannot be one clip. */
	scene =
		read_turning(TURN("walk", "root/rz.ANGLE", "LINEAR", "0 1", ""), TURN("run", "root/rz.ANGLE", "LINEAR", "0 2", ""), "");
	assert_int_equal(scene->clip_count, 2);
	assert_string_equal(scene->clips[1].name, "run");
	check_near(angle_at(scene, 0, "root", 0.5), 45, 0.01);
	check_near(angle_at(scene, 1, "root", 0.5), 22.5, 0.01);
	snw_scene_destroy(scene);
}

/* What a damaged file can say of animations: each is read, or refused with one line. */
static void damaged_animations_are_read_or_refused(void **unused) {
	(void)unused;
#define TANGENTS NUMBERS("a-i", 4, 2, "X", "0 0 0.5 90") NUMBERS("a-o", 4, 2, "X", "0.5 0 1 90")
#define BEZIER(times, tangents) TURN("a", "root/rz.ANGLE", "BEZIER", times, tangents)
#define INPUTS(in, out, kind)                                                                                                  \
	"<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#" in "\"/><input semantic=\"OUTPUT\" source=\"#" out                \
	"\"/><input semantic=\"INTERPOLATION\" source=\"#" kind "\"/></sampler><channel source=\"#s\" target=\"root/rz.ANGLE\"/>"
	static const struct {
		const char *what, *animations, *clips;
	} cases[] = {
		{"a tag that closes no accessor",
		 "<animation><source id=\"a-o\"></accessor><float_array>0.5 0 1 90</float_array></source>" BEZIER(
			 "0 1", NUMBERS("a-i", 4, 2, "X", "0 0 0.5 90")) "</animation>",
		 ""},
		{"values without an accessor",
		 "<animation><source id=\"t\"><float_array>0 1</float_array></source><source id=\"v\"></accessor><float_array>0 90"
		 "</float_array></source><source id=\"k\"><Name_array>BEZIER BEZIER</Name_array></source><sampler id=\"s\"><input "
		 "semantic=\"INPUT\" source=\"#t\"/><input semantic=\"OUTPUT\" source=\"#v\"/><input semantic=\"INTERPOLATION\" "
		 "source=\"#k\"/><input semantic=\"IN_TANGENT\" source=\"#v\"/><input semantic=\"OUT_TANGENT\" source=\"#v\"/>"
		 "</sampler><channel source=\"#s\" target=\"root/rz.ANGLE\"/></animation>",
		 ""},
		{"times that end early", BEZIER("0", TANGENTS), ""},
		{"no times", BEZIER("", TANGENTS), ""},
		{"times that go back", BEZIER("1 0", TANGENTS), ""},
		{"times that are none", BEZIER("nan inf", TANGENTS), ""},
		{"times without an end", BEZIER("-1e999 1e999", TANGENTS), ""},
		{"times that are too far apart", BEZIER("-1.7e308 1.7e308", TANGENTS), ""},
		{"tangents without an end",
		 BEZIER("0 1",
				NUMBERS("a-i", 4, 2, "X", "1e999 1e999 -1e999 1e999") NUMBERS("a-o", 4, 2, "X", "1e308 1e308 1e308 1e308")),
		 ""},
		{"fewer tangents", BEZIER("0 1", NUMBERS("a-i", 1, 2, "X", "0") NUMBERS("a-o", 3, 2, "X", "0 1 2")), ""},
		{"a sampler of itself", "<animation>" INPUTS("s", "s", "s") "</animation>", ""},
		{"sources of nothing", "<animation>" INPUTS("x", "y", "z") "</animation>", ""},
		{"a channel of nothing", "<animation><channel source=\"#none\" target=\"root/rz.ANGLE\"/></animation>", ""},
		{"a channel without attributes", "<animation><channel/></animation>", ""},
		{"an input before all samplers", "<animation><input semantic=\"INPUT\"/></accessor></source></sampler></animation>",
		 ""},
		{"a source in a source",
		 "<animation><source id=\"x\"><source id=\"x\"><float_array>0 1</float_array></source></source>" INPUTS(
			 "x", "x", "x") "</animation>",
		 ""},
		{"an animation in itself", "<animation id=\"a\">" BEZIER("0 1", TANGENTS) "</animation>",
		 "<library_animation_clips><animation_clip><instance_animation url=\"#a\"/><instance_animation url=\"#a\"/>"
		 "</animation_clip></library_animation_clips>"},
		{"clips of nothing", BEZIER("0 1", TANGENTS),
		 "<library_animation_clips><instance_animation url=\"#a\"/><animation_clip/><animation_clip start=\"x\" end=\"-1\">"
		 "<instance_animation url=\"#none\"/><instance_animation/></animation_clip></library_animation_clips>"},
		{"a clip of other moments", BEZIER("0 1", TANGENTS),
		 "<library_animation_clips><animation_clip start=\"5\" end=\"6\"><instance_animation url=\"#a\"/></animation_clip>"
		 "<animation_clip start=\"-5\" end=\"-4\"><instance_animation url=\"#a\"/></animation_clip><animation_clip "
		 "start=\"-1e8\" end=\"1e308\"><instance_animation url=\"#a\"/></animation_clip></library_animation_clips>"},
		{"an animation that does not end", "<animation id=\"x\"><animation>" BEZIER("0 1", TANGENTS), ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snw_scene *scene = NULL;
		snw_error error = {0};
		const snw_status status = import_turning(cases[i].animations, "", cases[i].clips, &scene, &error);
		print_message("%s: %s, %u clips\n", cases[i].what, snw_failed(status) ? error.text : "read",
					  scene ? scene->clip_count : 0);
		if (snw_failed(status)) {
			assert_null(scene);
			assert_true(error.text[0] && !strchr(error.text, '\n'));
			continue;
		}
		for (uint32_t c = 0; c < scene->clip_count; c++) {
			for (int k = 0; k <= 4; k++) {
				assert_true(isfinite(angle_at(scene, c, "root", scene->clips[c].duration_seconds * k / 4)));
			}
		}
		snw_scene_destroy(scene);
	}
}

/* ---- morphs of skins ----------------------------------------------------------------------------------------------------- */

static void skin_over_a_morph_has_both(void **unused) {
	(void)unused;
	snw_scene *scene =
		read_text(HEAD GEOMETRIES CONTROLLERS(MORPH("NORMALIZED") SKIN("mo")) SCENE("<instance_controller url=\"#sk\"/>"));
	assert_int_equal(scene->mesh_count, 1);
	check_square(&scene->meshes[0]);
	check_wide(scene);
	assert_int_equal(scene->slot_count, 2);
	assert_int_equal(scene->skeleton.joint_count, 3); /* with the scene's root; targets are no joints */
	snw_scene_destroy(scene);
}

static void targets_of_a_relative_morph_are_displacements(void **unused) {
	(void)unused;
	snw_scene *scene = read_text(HEAD GEOMETRIES CONTROLLERS(MORPH("RELATIVE")) SCENE("<instance_controller url=\"#mo\"/>"));
	const snw_morph *morph = &scene->meshes[0].morphs[0];
	assert_int_equal(morph->count, 3); /* all but the one at the origin */
	snw_scene_destroy(scene);
}

static void target_of_other_polygons_is_left_out(void **unused) {
	(void)unused;
	snw_scene *scene =
		read_text(HEAD "<library_geometries>" GEOMETRY("body", "0 0 0 1 0 0 1 1 0 0 1 0") "</library_geometries>" CONTROLLERS(
			MORPH("NORMALIZED")) SCENE("<instance_controller url=\"#mo\"/>"));
	check_square(&scene->meshes[0]);
	assert_int_equal(scene->meshes[0].morph_count, 0);
	snw_scene_destroy(scene);
}

/* ---- skeletons that are lost --------------------------------------------------------------------------------------------- */

static void write_bytes(const char *path, const unsigned char *bytes, size_t count) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(bytes, 1, count, file);
	fclose(file);
}

static void check_refused(const char *path, snw_status status, const char *words) {
	const snw_import_request request = {.file = path};
	snw_scene *scene = NULL;
	snw_error error = {0};
	assert_int_equal(snw_import(&request, NULL, &scene, &error), status);
	if (!strstr(error.text, words)) {
		fail_msg("'%s' does not say '%s'", error.text, words);
	}
}

/* Assimp would read the list without an end. */
static void index_that_is_no_number_is_refused(void **unused) {
	(void)unused;
	static const char *const words[] = {"1e308", "nan", "-inf", "}"};
	const char *whole = HEAD "<library_geometries>" GEOMETRY("body", "0 0 0 1 0 0 1 1 0 0 1 0") "</library_geometries>" SCENE(
		"<instance_geometry url=\"#body\"/>");
	const char *index = strstr(whole, "1 2 3</p>");
	char text[4000], refusal[100];
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		snprintf(text, sizeof text, "%.*s%s%s", (int)(index - whole), whole, words[i], index + 1);
		write_bytes(check_scratch("indices.dae"), (const unsigned char *)text, strlen(text));
		snprintf(refusal, sizeof refusal, "an index of its faces is '%s'", words[i]);
		check_refused(check_scratch("indices.dae"), SNW_ERROR_DATA, refusal);
	}
}

static void skeletons_that_are_not_read_are_refused(void **unused) {
	(void)unused;
	unsigned char iqm[124] = "INTERQUAKEMODEL", ms3d[14 + 2 + 15 + 2 + 2 + 36 + 2 + 12 + 2] = "MS3D000000";
	iqm[68] = 75;
	iqm[84] = 1;
	ms3d[14] = 1; /* a vertex */
	ms3d[33] = 1; /* a group without triangles */
	ms3d[14 + 2 + 15 + 2 + 2 + 36 + 2 + 12] = 3;
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("made.iqm"));
	write_bytes(path, iqm, sizeof iqm);
	check_refused(path, SNW_ERROR_UNSUPPORTED, "has 75 joints and 1 clip, which are not read from .iqm");
	snprintf(path, sizeof path, "%s", check_scratch("made.ms3d"));
	write_bytes(path, ms3d, sizeof ms3d);
	check_refused(path, SNW_ERROR_UNSUPPORTED, "has 3 joints and 1 clip, which are not read from .ms3d");
	for (size_t count = 0; count < sizeof ms3d; count++) { /* cut anywhere: never read beyond its end */
		const snw_import_request request = {.file = path, .is_lossy = true};
		snw_scene *scene = NULL;
		snw_error error = {0};
		write_bytes(path, ms3d, count);
		(void)snw_import(&request, NULL, &scene, &error);
		snw_scene_destroy(scene);
	}
}

TEST_GROUP(collada) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skin_without_bind_shape_matrix_has_the_identity),
		cmocka_unit_test(elements_that_begin_with_blanks_are_read),
		cmocka_unit_test(morph_is_a_morph_target),
		cmocka_unit_test(curve_of_a_morphs_weight_is_a_clip),
		cmocka_unit_test(curves_between_keys_are_followed),
		cmocka_unit_test(animations_of_a_file_without_clips_are_one),
		cmocka_unit_test(clips_of_a_file_have_their_names_and_parts),
		cmocka_unit_test(damaged_animations_are_read_or_refused),
		cmocka_unit_test(skin_over_a_morph_has_both),
		cmocka_unit_test(targets_of_a_relative_morph_are_displacements),
		cmocka_unit_test(target_of_other_polygons_is_left_out),
		cmocka_unit_test(index_that_is_no_number_is_refused),
		cmocka_unit_test(skeletons_that_are_not_read_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
