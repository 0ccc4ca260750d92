/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/adopt.h"
#include "isolation/plugin_process.h"

enum { MOST_ROWS = 100 * 1000 };

/* ---- descriptors --------------------------------------------------------------------------------------------------------- */

static uint32_t count_words(const char *const *words) {
	uint32_t count = 0;
	while (words && words[count]) {
		count++;
	}
	return count;
}

static void put_value(snw_stream *stream, const snw_value *value) {
	snw_put_bytes(stream, value->numbers, sizeof value->numbers);
	snw_put_text(stream, value->text);
}

static snw_value get_value(snw_stream *stream, snw_arena *arena) {
	snw_value value = {0};
	snw_get_bytes(stream, value.numbers, sizeof value.numbers);
	value.text = snw_get_text(stream, arena);
	return value;
}

static void put_parameter(snw_stream *stream, const snw_parameter *p) {
	snw_put_bytes(stream, p, sizeof *p);
	snw_put_text(stream, p->key);
	snw_put_text(stream, p->label);
	snw_put_text(stream, p->help);
	snw_put_text(stream, p->unit);
	snw_put_text(stream, p->initial.text);
	snw_put_number(stream, count_words(p->choices));
	snw_put_texts(stream, p->choices, count_words(p->choices));
}

static const snw_parameter *get_parameter(snw_stream *stream, snw_arena *arena) {
	snw_parameter *p = SNW_NEW(arena, snw_parameter);
	snw_get_bytes(stream, p, sizeof *p);
	p->size = sizeof *p;
	p->key = snw_get_text(stream, arena);
	p->label = snw_get_text(stream, arena);
	p->help = snw_get_text(stream, arena);
	p->unit = snw_get_text(stream, arena);
	p->initial.text = snw_get_text(stream, arena);
	const uint64_t words = snw_get_number(stream);
	const char *const *texts = snw_get_texts(stream, words, arena);
	const bool is_list = texts && words < MOST_ROWS;
	const char **ended = is_list ? SNW_NEW_ARRAY(arena, const char *, words + 1) : NULL;
	for (uint64_t i = 0; is_list && i < words; i++) {
		ended[i] = texts[i];
	}
	p->choices = ended;
	return p;
}

static void put_field(snw_stream *stream, const snw_field_info *f) {
	snw_put_bytes(stream, f, sizeof *f);
	snw_put_text(stream, f->name);
	snw_put_text(stream, f->label);
	snw_put_text(stream, f->help);
	snw_put_text(stream, f->unit);
}

static const snw_field_info *get_field(snw_stream *stream, snw_arena *arena) {
	snw_field_info *f = SNW_NEW(arena, snw_field_info);
	snw_get_bytes(stream, f, sizeof *f);
	f->size = sizeof *f;
	f->name = snw_get_text(stream, arena);
	f->label = snw_get_text(stream, arena);
	f->help = snw_get_text(stream, arena);
	f->unit = snw_get_text(stream, arena);
	return f;
}

void snw_put_descriptor(snw_stream *stream, const snw_descriptor *d) {
	snw_put_bytes(stream, d, sizeof *d);
	snw_put_text(stream, d->id);
	snw_put_text(stream, d->short_name);
	snw_put_text(stream, d->name);
	snw_put_text(stream, d->version);
	snw_put_text(stream, d->paper);
	for (uint32_t i = 0; i < d->parameter_count; i++) {
		put_parameter(stream, d->parameters[i]);
	}
	for (uint32_t i = 0; i < d->field_count; i++) {
		put_field(stream, d->fields[i]);
	}
}

const snw_descriptor *snw_get_descriptor(snw_stream *stream, snw_arena *arena) {
	snw_descriptor *d = SNW_NEW(arena, snw_descriptor);
	snw_get_bytes(stream, d, sizeof *d);
	d->size = sizeof *d;
	d->id = snw_get_text(stream, arena);
	d->short_name = snw_get_text(stream, arena);
	d->name = snw_get_text(stream, arena);
	d->version = snw_get_text(stream, arena);
	d->paper = snw_get_text(stream, arena);
	if (stream->is_broken || d->parameter_count > MOST_ROWS || d->field_count > MOST_ROWS) {
		return NULL;
	}
	const snw_parameter **parameters = SNW_NEW_ARRAY(arena, const snw_parameter *, d->parameter_count);
	for (uint32_t i = 0; i < d->parameter_count; i++) {
		parameters[i] = get_parameter(stream, arena);
	}
	const snw_field_info **fields = SNW_NEW_ARRAY(arena, const snw_field_info *, d->field_count);
	for (uint32_t i = 0; i < d->field_count; i++) {
		fields[i] = get_field(stream, arena);
	}
	d->parameters = d->parameter_count > 0 ? parameters : NULL;
	d->fields = d->field_count > 0 ? fields : NULL;
	return stream->is_broken ? NULL : d;
}

void snw_put_values(snw_stream *stream, const snw_value *values, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		put_value(stream, &values[i]);
	}
}

const snw_value *snw_get_values(snw_stream *stream, uint32_t count, snw_arena *arena) {
	snw_value *values = SNW_NEW_ARRAY(arena, snw_value, count);
	for (uint32_t i = 0; i < count; i++) {
		values[i] = get_value(stream, arena);
	}
	return values;
}

void snw_put_falloffs(snw_stream *stream, const snw_group_falloffs *falloffs) {
	snw_put_number(stream, falloffs->count);
	snw_put_texts(stream, falloffs->names, falloffs->count);
	snw_put_texts(stream, falloffs->settings, falloffs->count);
}

const snw_group_falloffs *snw_get_falloffs(snw_stream *stream, snw_arena *arena) {
	snw_group_falloffs *falloffs = SNW_NEW(arena, snw_group_falloffs);
	const uint64_t count = snw_get_number(stream);
	*falloffs = (snw_group_falloffs){.size = sizeof *falloffs, .count = count < MOST_ROWS ? (uint32_t)count : 0};
	falloffs->names = snw_get_texts(stream, count, arena);
	falloffs->settings = snw_get_texts(stream, count, arena);
	bool is_whole = falloffs->names && falloffs->settings && !stream->is_broken;
	for (uint32_t i = 0; is_whole && i < falloffs->count; i++) {
		is_whole = falloffs->names[i] && falloffs->settings[i];
	}
	return is_whole ? falloffs : NULL;
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

void snw_put_layout(snw_stream *stream, const snw_model_layout *layout) {
	snw_put_bytes(stream, layout, sizeof *layout);
	snw_put_texts(stream, layout->coefficient_examples, (uint64_t)layout->d_count + layout->e_count);
}

snw_model_layout snw_get_layout(snw_stream *stream, snw_arena *arena) {
	snw_model_layout layout;
	snw_get_bytes(stream, &layout, sizeof layout);
	layout.size = sizeof layout;
	layout.coefficient_examples = snw_get_texts(stream, (uint64_t)layout.d_count + layout.e_count, arena);
	return layout;
}

void snw_put_helpers(snw_stream *stream, uint32_t count, const snw_helper_joint *const *helpers) {
	snw_put_number(stream, helpers ? count : 0);
	for (uint32_t i = 0; helpers && i < count && !stream->is_broken; i++) {
		snw_helper_joint helper;
		snw_adopt(&helper, sizeof helper, helpers[i]);
		snw_put_bytes(stream, &helper, sizeof helper);
		snw_put_text(stream, helper.name);
	}
}

const snw_helper_joint *const *snw_get_helpers(snw_stream *stream, uint32_t *count, snw_arena *arena) {
	const uint64_t found = snw_get_number(stream);
	*count = found < MOST_ROWS ? (uint32_t)found : 0;
	const snw_helper_joint **list = SNW_NEW_ARRAY(arena, const snw_helper_joint *, *count);
	snw_helper_joint *helpers = SNW_NEW_ARRAY(arena, snw_helper_joint, *count);
	for (uint32_t i = 0; i < *count; i++) {
		snw_get_bytes(stream, &helpers[i], sizeof helpers[i]);
		helpers[i].size = sizeof helpers[i];
		helpers[i].name = snw_get_text(stream, arena);
		list[i] = &helpers[i];
	}
	return list;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

static void put_displacements(snw_stream *stream, const snw_displacements *foreign) {
	snw_put_number(stream, foreign != NULL);
	if (!foreign) {
		return;
	}
	snw_displacements d;
	snw_adopt(&d, sizeof d, foreign);
	const uint64_t entries = d.count > 0 ? d.offsets[d.count] : 0;
	snw_put_number(stream, foreign->size);
	snw_put_number(stream, d.count);
	snw_put_array(stream, d.coefficients, d.count, sizeof *d.coefficients);
	snw_put_array(stream, d.offsets, d.offsets ? (uint64_t)d.count + 1 : 0, sizeof *d.offsets);
	snw_put_array(stream, d.points, entries, sizeof *d.points);
	snw_put_array(stream, d.vectors, 3 * entries, sizeof *d.vectors);
	snw_put_array(stream, d.joints, d.count, sizeof *d.joints);
	snw_put_texts(stream, d.names, d.count);
}

static const snw_displacements *get_displacements(snw_stream *stream, snw_arena *arena) {
	if (snw_get_number(stream) == 0 || stream->is_broken) {
		return NULL;
	}
	snw_displacements *d = SNW_NEW(arena, snw_displacements);
	/* One that says too little about its size is refused where it is used. */
	d->size = snw_get_number(stream) < offsetof(snw_displacements, joints) ? sizeof d->size : sizeof *d;
	d->count = (uint32_t)snw_get_number(stream);
	d->coefficients = snw_get_array(stream, d->count, sizeof *d->coefficients, arena);
	d->offsets = snw_get_array(stream, (uint64_t)d->count + 1, sizeof *d->offsets, arena);
	const uint64_t entries = d->count > 0 && d->offsets ? d->offsets[d->count] : 0;
	d->points = snw_get_array(stream, entries, sizeof *d->points, arena);
	d->vectors = snw_get_array(stream, 3 * entries, sizeof *d->vectors, arena);
	d->joints = snw_get_array(stream, d->count, sizeof *d->joints, arena);
	d->names = snw_get_texts(stream, d->count, arena);
	return d;
}

static void put_sparse(snw_stream *stream, const snw_sparse_rows *c) {
	const uint64_t entries = c->row_count > 0 ? c->offsets[c->row_count] : 0;
	snw_put_number(stream, c->row_count);
	snw_put_number(stream, c->column_count);
	snw_put_array(stream, c->offsets, (uint64_t)c->row_count + 1, sizeof *c->offsets);
	snw_put_array(stream, c->columns, entries, sizeof *c->columns);
	snw_put_array(stream, c->values, entries, sizeof *c->values);
}

static const snw_sparse_rows *get_sparse(snw_stream *stream, snw_arena *arena) {
	snw_sparse_rows *c = SNW_NEW(arena, snw_sparse_rows);
	c->row_count = (uint32_t)snw_get_number(stream);
	c->column_count = (uint32_t)snw_get_number(stream);
	c->offsets = snw_get_array(stream, (uint64_t)c->row_count + 1, sizeof *c->offsets, arena);
	const uint64_t entries = c->row_count > 0 && c->offsets ? c->offsets[c->row_count] : 0;
	c->columns = snw_get_array(stream, entries, sizeof *c->columns, arena);
	c->values = snw_get_array(stream, entries, sizeof *c->values, arena);
	return c;
}

void snw_put_part(snw_stream *stream, const snw_program_part *part, uint32_t point_count) {
	const uint64_t influences = part->influence_offsets ? part->influence_offsets[point_count] : 0;
	snw_put_bytes(stream, part, sizeof *part);
	snw_put_array(stream, part->influence_offsets, (uint64_t)point_count + 1, sizeof *part->influence_offsets);
	snw_put_array(stream, part->influence_slots, influences, sizeof *part->influence_slots);
	snw_put_array(stream, part->influence_weights, influences, sizeof *part->influence_weights);
	snw_put_array(stream, part->influence_rows, 4 * influences, sizeof *part->influence_rows);
	snw_put_array(stream, part->combined, (uint64_t)4 * part->slot_count * part->combined_count, sizeof *part->combined);
	if (part->combined_rows) {
		put_sparse(stream, part->combined_rows);
	}
	put_displacements(stream, part->rest);
	put_displacements(stream, part->posed);
	snw_put_array(stream, part->normals_rest, (uint64_t)3 * point_count, sizeof *part->normals_rest);
	put_displacements(stream, part->rest_normals);
}

void snw_get_part(snw_stream *stream, snw_program_part *part, uint32_t point_count, snw_arena *arena) {
	const uint32_t size = part->size;
	snw_get_bytes(stream, part, sizeof *part);
	part->size = size;
	part->influence_offsets = snw_get_array(stream, (uint64_t)point_count + 1, sizeof *part->influence_offsets, arena);
	const uint64_t influences = part->influence_offsets ? part->influence_offsets[point_count] : 0;
	part->influence_slots = snw_get_array(stream, influences, sizeof *part->influence_slots, arena);
	part->influence_weights = snw_get_array(stream, influences, sizeof *part->influence_weights, arena);
	part->influence_rows = snw_get_array(stream, 4 * influences, sizeof *part->influence_rows, arena);
	part->combined =
		snw_get_array(stream, (uint64_t)4 * part->slot_count * part->combined_count, sizeof *part->combined, arena);
	part->combined_rows = part->combined_rows ? get_sparse(stream, arena) : NULL;
	part->rest = get_displacements(stream, arena);
	part->posed = get_displacements(stream, arena);
	part->normals_rest = snw_get_array(stream, (uint64_t)3 * point_count, sizeof *part->normals_rest, arena);
	part->rest_normals = get_displacements(stream, arena);
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

void snw_put_pose(snw_stream *stream, const snw_pose_view *pose) {
	snw_put_bytes(stream, pose, sizeof *pose);
	snw_put_bytes(stream, pose->local, pose->joint_count * sizeof *pose->local);
	snw_put_bytes(stream, pose->rotation_vectors, (size_t)3 * pose->joint_count * sizeof(double));
	snw_put_bytes(stream, pose->global, (size_t)12 * pose->joint_count * sizeof(double));
	snw_put_bytes(stream, pose->palette, (size_t)12 * pose->slot_count * sizeof(double));
	snw_put_bytes(stream, pose->channels, pose->channel_count * sizeof(double));
}

snw_pose_view snw_get_pose(snw_stream *stream) {
	snw_pose_view pose;
	snw_get_bytes(stream, &pose, sizeof pose);
	pose.local = (const void *)snw_get_place(stream, pose.joint_count * sizeof *pose.local);
	pose.rotation_vectors = (const void *)snw_get_place(stream, (size_t)3 * pose.joint_count * sizeof(double));
	pose.global = (const void *)snw_get_place(stream, (size_t)12 * pose.joint_count * sizeof(double));
	pose.palette = (const void *)snw_get_place(stream, (size_t)12 * pose.slot_count * sizeof(double));
	pose.channels = (const void *)snw_get_place(stream, pose.channel_count * sizeof(double));
	return pose;
}
