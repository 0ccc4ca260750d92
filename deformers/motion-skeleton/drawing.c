/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawn skeleton: read from a file, or the joints of the character.
 */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* Joints farther than this from the middle of the mesh, in its diagonals, are in other units or another place. */
static const double farthest = 2;

/* Memory for a drawing of at most MOST_BONES bones and so many lines. */
static snw_status open_drawing(skeleton_fit *f, uint32_t line_count) {
	f->drawing = (drawing){.parents = SNW_POOL_ARRAY(&f->pool, uint32_t, MOST_BONES),
						   .begins = snw_pool_acquire(&f->pool, MOST_BONES, sizeof *f->drawing.begins),
						   .names = snw_pool_acquire(&f->pool, MOST_BONES, sizeof *f->drawing.names),
						   .line_bones = SNW_POOL_ARRAY(&f->pool, uint32_t, line_count),
						   .lines = snw_pool_acquire(&f->pool, line_count, sizeof *f->drawing.lines),
						   .end_lines = SNW_POOL_ARRAY(&f->pool, uint32_t, line_count),
						   .end_names = snw_pool_acquire(&f->pool, line_count, sizeof *f->drawing.end_names)};
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* Takes a drawn place into the fit's coordinates; 0 if it is far from the mesh, which is then in other units or another
 * place. */
static int place_drawn(const skeleton_fit *f, const double drawn[3], double place[3]) {
	for (int c = 0; c < 3; c++) {
		place[c] = drawn[c] - f->motion.centre[c];
	}
	return snw_length3(place) < farthest * f->diagonal;
}

/* ---- the joints of the character ----------------------------------------------------------------------------------------- */

/* A drawing that is the character's own joints at rest. A joint with others below it is a bone with a line to each of them. A
 * joint without any is where its parent's bone ends; the skeleton has it too, so that it can be drawn further.
 *
 * The fit makes its own root, so the joint "root" above a single other one is no bone, and no bone is named "root". */

typedef struct joint_tree {
	skeleton_fit *f;
	const snw_skeleton_view *skeleton;
	uint32_t *children; /* [joint_count]: how many joints are below it */
	uint32_t *bones;    /* [joint_count]: the bone that begins there; SNW_NONE for none */
	uint32_t base;
} joint_tree;

static const char *name_of(const joint_tree *t, uint32_t joint) {
	return t->skeleton->names[joint];
}

/* The one joint without a parent. */
static snw_status find_base(joint_tree *t) {
	t->base = SNW_NONE;
	for (uint32_t j = 0; j < t->skeleton->joint_count; j++) {
		const uint32_t parent = t->skeleton->parents[j];
		if (parent != SNW_NONE) {
			t->children[parent]++;
		} else if (t->base != SNW_NONE) {
			return snw_report_fail(
				t->f->host, SNW_ERROR_DATA,
				"joints '%s' and '%s' have no parent; one skeleton has one such joint: give one of them a parent",
				name_of(t, t->base), name_of(t, j));
		} else {
			t->base = j;
		}
	}
	if (t->children[t->base] == 1 && strcmp(name_of(t, t->base), "root") == 0) {
		t->children[t->base] = 0;
		for (uint32_t j = 0; j < t->skeleton->joint_count; j++) {
			if (t->skeleton->parents[j] == t->base) {
				t->base = j;
				return SNW_OK;
			}
		}
	}
	return SNW_OK;
}

static snw_status number_bones(joint_tree *t) {
	drawing *d = &t->f->drawing;
	for (uint32_t j = 0; j < t->skeleton->joint_count; j++) {
		t->bones[j] = SNW_NONE;
		if (t->children[j] > 0 && d->bone_count == MOST_BONES) {
			return snw_report_fail(t->f->host, SNW_ERROR_DATA, "the drawn skeleton has too many bones; %d are the most",
								   MOST_BONES);
		}
		if (t->children[j] > 0) {
			t->bones[j] = d->bone_count++;
		}
	}
	return d->bone_count > 0
			   ? SNW_OK
			   : snw_report_fail(t->f->host, SNW_ERROR_DATA,
								 "the drawn skeleton has no bones; draw at least two joints, one below the other");
}

static snw_status place(const joint_tree *t, uint32_t joint, double dest[3]) {
	const double *global = t->skeleton->rest_global + 12 * (size_t)joint, drawn[3] = {global[3], global[7], global[11]};
	return place_drawn(t->f, drawn, dest)
			   ? SNW_OK
			   : snw_report_fail(t->f->host, SNW_ERROR_DATA, "joint '%s' is far from the mesh; move it into the body",
								 name_of(t, joint));
}

/* The name that the skeleton has for a joint. */
static const char *new_name(const joint_tree *t, uint32_t joint) {
	const char *name = name_of(t, joint);
	return strcmp(name, "root") != 0 ? name : t->bones[joint] == SNW_NONE ? "root-end" : "root-bone";
}

static snw_status draw_bone(const joint_tree *t, uint32_t joint) {
	drawing *d = &t->f->drawing;
	const uint32_t bone = t->bones[joint];
	snw_status status = place(t, joint, d->begins[bone]);
	d->parents[bone] = joint == t->base ? SNW_NONE : t->bones[t->skeleton->parents[joint]];
	d->names[bone] = new_name(t, joint);
	for (uint32_t j = 0; !snk_failed(status) && j < t->skeleton->joint_count; j++) {
		if (t->skeleton->parents[j] == joint) {
			memcpy(d->lines[d->line_count][0], d->begins[bone], sizeof d->begins[bone]);
			status = place(t, j, d->lines[d->line_count][1]);
			if (t->bones[j] == SNW_NONE) {
				d->end_lines[d->end_count] = d->line_count;
				d->end_names[d->end_count++] = new_name(t, j);
			}
			d->line_bones[d->line_count++] = bone;
		}
	}
	return status;
}

/* The drawing that the joints of the character are. */
static snw_status read_joints(skeleton_fit *f) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	joint_tree t = {.f = f,
					.skeleton = skeleton,
					.children = SNW_POOL_ARRAY(&f->pool, uint32_t, skeleton->joint_count),
					.bones = SNW_POOL_ARRAY(&f->pool, uint32_t, skeleton->joint_count)};
	snw_status status = open_drawing(f, skeleton->joint_count);
	status = snk_failed(status) ? status : find_base(&t);
	status = snk_failed(status) ? status : number_bones(&t);
	for (uint32_t j = 0; !snk_failed(status) && j < skeleton->joint_count; j++) {
		status = t.bones[j] == SNW_NONE ? SNW_OK : draw_bone(&t, j);
	}
	return status;
}

/* ---- a file -------------------------------------------------------------------------------------------------------------- */

/* Reading a drawn skeleton from a file. A .tgf file (Trivial Graph Format) has a line "number x y z" for each joint, a line
 * "#", and a line "number number NAME" for each bone, from the joint where it begins to the one where it ends. Names may be
 * missing. What follows another "#" is not read.
 *
 * Some programs write switches behind a bone's joints instead of a name, each 0 or 1: the first is 0 for an edge that is no
 * bone. */

enum { LINE_BYTES = 1000, MOST_JOINTS = 1000, NAME_BYTES = 64 };

typedef struct drawn_joint {
	unsigned long number;
	double place[3]; /* rest space */
} drawn_joint;

typedef struct reader {
	skeleton_fit *f;
	FILE *file;
	const char *name; /* of the file, without its folder */
	locale_t locale;  /* with decimal points */
	uint32_t line, joint_count;
	drawn_joint joints[MOST_JOINTS];
	uint32_t ends[MOST_BONES][2]; /* into joints */
	char names[MOST_BONES][NAME_BYTES];
} reader;

static snw_status fail_line(const reader *r, const char *words) {
	return snw_report_fail(r->f->host, SNW_ERROR_DATA, "%s, line %u: %s", r->name, r->line, words);
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at) {
	while (isspace((unsigned char)*at)) {
		at++;
	}
	return at;
}

/* A whole number of at most nine digits, and what follows it; 0 if there is none. */
static int read_number(const char **at, unsigned long *number) {
	const char *text = skip_blanks(*at);
	char *end;
	if (!isdigit((unsigned char)*text)) {
		return 0;
	}
	*number = strtoul(text, &end, 10);
	*at = end;
	return end - text <= 9;
}

static snw_status read_joint(reader *r, const char *at) {
	if (r->joint_count == MOST_JOINTS) {
		return fail_line(r, "too many joints; 1000 are the most");
	}
	drawn_joint *next = &r->joints[r->joint_count];
	int is_whole = read_number(&at, &next->number);
	for (int c = 0; is_whole && c < 3; c++) {
		char *end;
		next->place[c] = strtod_l(at, &end, r->locale);
		is_whole = end != at && isfinite(next->place[c]) && fabs(next->place[c]) < 1e9;
		at = end;
	}
	if (!is_whole) {
		return fail_line(r, "expected a joint as 'number x y z'");
	}
	for (uint32_t j = 0; j < r->joint_count; j++) {
		if (r->joints[j].number == next->number) {
			return fail_line(r, "another joint has this number; give each its own");
		}
	}
	r->joint_count++;
	return SNW_OK;
}

static uint32_t find_joint(const reader *r, unsigned long number) {
	for (uint32_t j = 0; j < r->joint_count; j++) {
		if (r->joints[j].number == number) {
			return j;
		}
	}
	return SNW_NONE;
}

/* The name behind a bone's joints, without the blanks at its end. */
static snw_status read_name(reader *r, const char *at, char *name) {
	size_t bytes = strlen(at);
	while (bytes > 0 && isspace((unsigned char)at[bytes - 1])) {
		bytes--;
	}
	for (size_t i = 0; i < bytes; i++) {
		if ((unsigned char)at[i] < ' ') {
			return fail_line(r, "the bone's name has a control character");
		}
	}
	if (bytes >= NAME_BYTES) {
		return fail_line(r, "the bone's name is too long; 63 bytes are the most");
	}
	memcpy(name, at, bytes);
	name[bytes] = 0;
	int is_taken = strcmp(name, "root") == 0;
	for (uint32_t b = 0; bytes > 0 && b < r->f->drawing.bone_count; b++) {
		is_taken = is_taken || strcmp(r->names[b], name) == 0;
	}
	return is_taken ? fail_line(r, "the bone's name is taken; give each bone its own, and none 'root'") : SNW_OK;
}

/* Whether all that is behind a bone's joints is 0s and 1s. */
static int has_switches(const char *at) {
	int count = 0;
	while ((*at == '0' || *at == '1') && (at[1] == 0 || isspace((unsigned char)at[1]))) {
		at = skip_blanks(at + 1);
		count++;
	}
	return count > 0 && *at == 0;
}

static snw_status read_bone(reader *r, const char *at) {
	drawing *d = &r->f->drawing;
	unsigned long numbers[2];
	if (!read_number(&at, &numbers[0]) || !read_number(&at, &numbers[1])) {
		return fail_line(r, "expected a bone as 'number number NAME', from joint to joint");
	}
	at = skip_blanks(at);
	const int is_named = !has_switches(at);
	if (!is_named && *at == '0') {
		return SNW_OK;
	}
	if (d->bone_count == MOST_BONES) {
		return fail_line(r, "too many bones; 128 are the most");
	}
	for (int e = 0; e < 2; e++) {
		r->ends[d->bone_count][e] = find_joint(r, numbers[e]);
		if (r->ends[d->bone_count][e] == SNW_NONE) {
			return fail_line(r, "no joint has the number that the bone names");
		}
	}
	const snw_status status = is_named ? read_name(r, at, r->names[d->bone_count]) : SNW_OK;
	d->bone_count += !snk_failed(status);
	return status;
}

static snw_status read_lines(reader *r) {
	char text[LINE_BYTES];
	int section = 0;
	snw_status status = SNW_OK;
	while (!snk_failed(status) && section < 2 && fgets(text, sizeof text, r->file)) {
		const char *at = skip_blanks(text);
		r->line++;
		if (strlen(text) == sizeof text - 1) {
			return fail_line(r, "the line is too long for a .tgf file");
		}
		if (*at == '#') {
			section++;
		} else if (*at) {
			status = section == 0 ? read_joint(r, at) : read_bone(r, at);
		}
	}
	if (!snk_failed(status) && ferror(r->file)) {
		return snw_report_fail(r->f->host, SNW_ERROR_DATA, "%s cannot be read: %s", r->name, strerror(errno));
	}
	return status;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

static snw_status fail_joint(const reader *r, uint32_t joint, const char *words) {
	return snw_report_fail(r->f->host, SNW_ERROR_DATA, "%s: joint %lu %s", r->name, r->joints[joint].number, words);
}

/* Parents, of bones that begin where others end. */
static snw_status find_parents(const reader *r) {
	const drawing *d = &r->f->drawing;
	for (uint32_t b = 0; b < d->bone_count; b++) {
		d->parents[b] = SNW_NONE;
		for (uint32_t a = 0; a < d->bone_count; a++) {
			if (a != b && r->ends[a][1] == r->ends[b][1]) {
				return fail_joint(r, r->ends[b][1], "ends two bones; let one of them begin there");
			}
			d->parents[b] = r->ends[a][1] == r->ends[b][0] ? a : d->parents[b];
		}
	}
	return SNW_OK;
}

/* below [bone]: how many bones there are below each. Each bone must lead up to the one joint where the skeleton begins. */
static snw_status count_below(const reader *r, uint32_t *below) {
	const drawing *d = &r->f->drawing;
	uint32_t first = SNW_NONE;
	for (uint32_t b = 0; b < d->bone_count; b++) {
		uint32_t above = b, steps = 0;
		for (; d->parents[above] != SNW_NONE && steps < d->bone_count; steps++) {
			above = d->parents[above];
			below[above]++;
		}
		if (steps == d->bone_count) {
			return fail_joint(r, r->ends[b][0], "is part of a circle of bones; remove one of them");
		}
		first = first == SNW_NONE ? r->ends[above][0] : first;
		if (r->ends[above][0] != first) {
			return fail_joint(r, r->ends[above][0], "is a second beginning of the skeleton; connect it by a bone");
		}
	}
	return SNW_OK;
}

/* Of the bones that begin the skeleton, that with most bones below it is the parent of the others. */
static void choose_base(const reader *r, const uint32_t *below) {
	const drawing *d = &r->f->drawing;
	uint32_t base = SNW_NONE;
	for (uint32_t b = 0; b < d->bone_count; b++) {
		if (d->parents[b] == SNW_NONE && (base == SNW_NONE || below[b] > below[base])) {
			base = b;
		}
	}
	for (uint32_t b = 0; b < d->bone_count; b++) {
		d->parents[b] = d->parents[b] == SNW_NONE && b != base ? base : d->parents[b];
	}
}

static snw_status copy_places(const reader *r) {
	skeleton_fit *f = r->f;
	f->drawing.line_count = f->drawing.bone_count;
	for (uint32_t b = 0; b < f->drawing.bone_count; b++) {
		f->drawing.names[b] = r->names[b][0] ? r->names[b] : NULL;
		f->drawing.line_bones[b] = b;
		for (int e = 0; e < 2; e++) {
			if (!place_drawn(f, r->joints[r->ends[b][e]].place, f->drawing.lines[b][e])) {
				return fail_joint(r, r->ends[b][e], "is far from the mesh; draw in the coordinates of its rest, in metres");
			}
		}
		memcpy(f->drawing.begins[b], f->drawing.lines[b][0], sizeof f->drawing.begins[b]);
	}
	return SNW_OK;
}

static snw_status make_tree(const reader *r) {
	const drawing *d = &r->f->drawing;
	uint32_t below[MOST_BONES] = {0};
	if (d->bone_count == 0) {
		return snw_report_fail(
			r->f->host, SNW_ERROR_DATA,
			"%s has no bones; behind a line '#' it needs a line 'number number' for each, from joint to joint", r->name);
	}
	snw_status status = find_parents(r);
	status = snk_failed(status) ? status : count_below(r, below);
	if (snk_failed(status)) {
		return status;
	}
	choose_base(r, below);
	return copy_places(r);
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static snw_status read_file(reader *r, const char *path) {
	const char *slash = strrchr(path, '/');
	r->name = slash ? slash + 1 : path;
	r->file = fopen(path, "r");
	if (!r->file) {
		return snw_report_fail(r->f->host, SNW_ERROR_MISSING, "%s cannot be opened: %s", r->name, strerror(errno));
	}
	r->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	snw_status status = r->locale ? read_lines(r) : SNW_ERROR_MEMORY;
	status = snk_failed(status) ? status : make_tree(r);
	if (r->locale) {
		freelocale(r->locale);
	}
	fclose(r->file);
	return status;
}

snw_status read_drawing(skeleton_fit *f) {
	const char *path = f->input->values[DRAWING].text;
	if (!path || !*path) {
		return f->input->character->skeleton->joint_count > 0 ? read_joints(f) : SNW_OK;
	}
	reader *r = SNW_POOL_ARRAY(&f->pool, reader, 1);
	const snw_status status = open_drawing(f, MOST_BONES);
	if (snk_failed(status)) {
		return status;
	}
	r->f = f;
	return read_file(r, path);
}
