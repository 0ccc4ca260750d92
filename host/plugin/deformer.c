/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deformer of a plug-in: its tables are checked, those of other versions adopted, and its functions called.
 */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/adopt.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "program/program.h"
#include "scene/check.h"
#include "services/services.h"

/* ---- checking its tables ------------------------------------------------------------------------------------------------- */

/* Checks a deformer's tables once, for everything that the host relies on later. Messages tell the author what to change. */

/* ---- check descriptor ---------------------------------------------------------------------------------------------------- */

typedef struct text_buffer {
	char *buffer;
	size_t bytes;
} text_buffer;

static const char *format_fault(text_buffer out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *format_fault(text_buffer out, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(out.buffer, out.bytes, format, arguments);
	va_end(arguments);
	return out.buffer;
}

/* Lower case words joined by '-', starting with a letter: keys, short names, names of fields. */
static bool is_word(const char *text) {
	if (!text || !islower((unsigned char)text[0])) {
		return false;
	}
	for (const char *c = text; *c; c++) {
		const bool is_hyphen = *c == '-' && isalnum((unsigned char)c[-1]) && c[1] && c[1] != '-';
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && !is_hyphen) {
			return false;
		}
	}
	return true;
}

/* Reverse DNS: two labels or more of letters, digits, '-' and '_', joined by '.'. */
static bool is_reverse_dns(const char *text) {
	if (!text || !isalpha((unsigned char)text[0])) {
		return false;
	}
	uint32_t dots = 0;
	for (const char *c = text; *c; c++) {
		if (*c == '.') {
			dots++;
			if (c[1] == '.' || c[1] == 0) {
				return false;
			}
		} else if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_') {
			return false;
		}
	}
	return dots > 0;
}

static const char *choice_fault(const snw_parameter *p, text_buffer out) {
	const uint32_t choices = snw_parameter_word_count(p);
	if (choices == 0) {
		return format_fault(out, "parameter '%s': its choices are missing", p->key);
	}
	if (p->minimum != 0 || p->maximum != choices - 1 || p->initial.numbers[0] != floor(p->initial.numbers[0])) {
		return format_fault(out, "parameter '%s': a choice among %u must range from 0 to %u, with a whole default", p->key,
							choices, choices - 1);
	}
	return NULL;
}

/* Of joints, fields, texts and files. A plug-in knows no character and no project: nothing of theirs can be a default. */
static const char *text_fault(const snw_parameter *p, text_buffer out) {
	const bool has_text = p->initial.text && p->initial.text[0];
	snw_error why = {0};
	if (p->minimum != 0 || p->maximum != 0) {
		return format_fault(out, "parameter '%s': a joint, field, text or file has no range; make it 0 to 0", p->key);
	}
	if (p->kind == SNW_PARAMETER_TEXT) {
		if (!p->initial.text) {
			return format_fault(out, "parameter '%s': the default of a text is missing", p->key);
		}
		return snw_failed(snw_check_text("parameter", p->key, p->initial.text, &why)) ? format_fault(out, "%s", why.text)
																					  : NULL;
	}
	if (has_text || (p->kind == SNW_PARAMETER_JOINT && p->initial.numbers[0] != -1)) {
		return format_fault(out, "parameter '%s': the default of a joint, field or file must be none", p->key);
	}
	if (p->kind == SNW_PARAMETER_FILE && p->stage == SNW_STAGE_DRIVE) {
		return format_fault(out, "parameter '%s': a file cannot be of stage drive, where no file may be read", p->key);
	}
	return NULL;
}

static const char *kind_fault(const snw_parameter *p, text_buffer out) {
	const char *fault = NULL;
	switch (p->kind) {
	case SNW_PARAMETER_NUMBER:
	case SNW_PARAMETER_VECTOR:
		break;
	case SNW_PARAMETER_INTEGER:
		if (p->initial.numbers[0] != floor(p->initial.numbers[0])) {
			fault = format_fault(out, "parameter '%s': the default %g of an integer is not an integer", p->key,
								 p->initial.numbers[0]);
		}
		break;
	case SNW_PARAMETER_SWITCH:
		if (p->minimum != 0 || p->maximum != 1 || (p->initial.numbers[0] != 0 && p->initial.numbers[0] != 1)) {
			fault = format_fault(out, "parameter '%s': a switch must range over 0 and 1, with a default that is one of them",
								 p->key);
		}
		break;
	case SNW_PARAMETER_CHOICE:
		fault = choice_fault(p, out);
		break;
	case SNW_PARAMETER_COLOR:
		if (p->minimum != 0 || p->maximum != 1) {
			fault = format_fault(out, "parameter '%s': a colour must range from 0 to 1", p->key);
		}
		break;
	case SNW_PARAMETER_JOINT:
	case SNW_PARAMETER_FIELD:
	case SNW_PARAMETER_TEXT:
	case SNW_PARAMETER_FILE:
		fault = text_fault(p, out);
		break;
	default:
		fault = format_fault(out, "parameter '%s': kind %d is not in the table of kinds", p->key, p->kind);
	}
	return fault;
}

static const char *table_fault(const snw_parameter *p, text_buffer out) {
	if (p->scopes & ~(uint32_t)(SNW_SCOPE_GROUP | SNW_SCOPE_JOINT) || (p->scopes != 0 && p->stage != SNW_STAGE_FIT)) {
		return format_fault(out, "parameter '%s': scopes may be groups and joints only, and at stage fit only", p->key);
	}
	if (p->kind != SNW_PARAMETER_CHOICE && p->kind != SNW_PARAMETER_INTEGER && p->choices) {
		return format_fault(out, "parameter '%s': it has choices but is not of kind choice", p->key);
	}
	if (p->kind == SNW_PARAMETER_INTEGER && p->choices && !(p->minimum + snw_parameter_word_count(p) <= p->maximum + 1)) {
		return format_fault(out, "parameter '%s': it has more words than values", p->key);
	}
	return NULL;
}

/* How many numbers of its values are held against the range. */
static int ranged_count(const snw_parameter *p) {
	const bool is_triple = p->kind == SNW_PARAMETER_VECTOR || p->kind == SNW_PARAMETER_COLOR;
	return p->kind >= SNW_PARAMETER_JOINT ? 0 : is_triple ? 3 : 1;
}

static const char *range_fault(const snw_parameter *p, text_buffer out) {
	bool is_nan = isnan(p->minimum) || isnan(p->maximum) || isnan(p->soft_minimum) || isnan(p->soft_maximum);
	for (int n = 0; n < 4; n++) {
		is_nan = is_nan || isnan(p->initial.numbers[n]);
	}
	if (is_nan) {
		return format_fault(out, "parameter '%s': its range or default is not a number", p->key);
	}
	if (p->minimum > p->maximum) {
		return format_fault(out, "parameter '%s': its range from %g to %g is empty", p->key, p->minimum, p->maximum);
	}
	for (int n = 0; n < ranged_count(p); n++) {
		if (p->initial.numbers[n] < p->minimum || p->initial.numbers[n] > p->maximum) {
			return format_fault(out, "parameter '%s': the default %g is outside its range from %g to %g", p->key,
								p->initial.numbers[n], p->minimum, p->maximum);
		}
	}
	const bool slides = p->kind == SNW_PARAMETER_NUMBER || p->kind == SNW_PARAMETER_INTEGER || p->kind == SNW_PARAMETER_VECTOR;
	if (slides && (p->soft_minimum < p->minimum || p->soft_maximum > p->maximum || p->soft_minimum > p->soft_maximum)) {
		return format_fault(out, "parameter '%s': the slider's range from %g to %g is not within the range from %g to %g",
							p->key, p->soft_minimum, p->soft_maximum, p->minimum, p->maximum);
	}
	return NULL;
}

/* A role is taken once, by a parameter of the kind that goes with it. Roles of later minors are left alone. */
static const char *role_fault(const snw_descriptor *d, uint32_t index, text_buffer out) {
	const snw_parameter *p = d->parameters[index];
	const int32_t kind = p->role == SNW_ROLE_WIDTH     ? SNW_PARAMETER_NUMBER
						 : p->role == SNW_ROLE_DRAWING ? SNW_PARAMETER_FILE
													   : SNW_PARAMETER_INTEGER;
	if (p->role <= SNW_ROLE_NONE || p->role > SNW_ROLE_WIDTH) {
		return NULL;
	}
	if (p->kind != kind || (p->role == SNW_ROLE_WIDTH && !(p->scopes & SNW_SCOPE_GROUP))) {
		return format_fault(out, "parameter '%s': role %d is for %s", p->key, p->role,
							p->role == SNW_ROLE_WIDTH     ? "a number with the scope of groups"
							: p->role == SNW_ROLE_DRAWING ? "a file"
														  : "an integer");
	}
	for (uint32_t i = 0; i < index; i++) {
		if (d->parameters[i]->role == p->role) {
			return format_fault(out, "parameter '%s': '%s' has its role %d already", p->key, d->parameters[i]->key, p->role);
		}
	}
	return NULL;
}

static const char *parameter_fault(const snw_descriptor *d, uint32_t index, text_buffer out) {
	const snw_parameter *p = d->parameters[index];
	if (!is_word(p->key)) {
		return format_fault(out, "parameter %u: its key '%s' must be lower-case words joined by '-'", index,
							p->key ? p->key : "");
	}
	for (uint32_t i = 0; i < index; i++) {
		if (strcmp(d->parameters[i]->key, p->key) == 0) {
			return format_fault(out, "parameter '%s': its key is in the table twice", p->key);
		}
	}
	if (!p->label || !p->help || !p->unit) {
		return format_fault(out, "parameter '%s': its label, help or unit is missing", p->key);
	}
	if (p->stage < SNW_STAGE_FIT || p->stage > SNW_STAGE_DRIVE) {
		return format_fault(out, "parameter '%s': stage %d is not in the table of stages", p->key, p->stage);
	}
	const char *fault = kind_fault(p, out);
	fault = fault ? fault : range_fault(p, out);
	fault = fault ? fault : table_fault(p, out);
	return fault ? fault : role_fault(d, index, out);
}

static const char *field_fault(const snw_descriptor *d, uint32_t index, text_buffer out) {
	const snw_field_info *f = d->fields[index];
	if (!is_word(f->name)) {
		return format_fault(out, "field %u: its name '%s' must be lower-case words joined by '-'", index,
							f->name ? f->name : "");
	}
	for (uint32_t i = 0; i < index; i++) {
		if (strcmp(d->fields[i]->name, f->name) == 0) {
			return format_fault(out, "field '%s': its name is in the table twice", f->name);
		}
	}
	if (!f->label || !f->help || !f->unit) {
		return format_fault(out, "field '%s': its label, help or unit is missing", f->name);
	}
	if (f->domain < SNW_DOMAIN_POINTS || f->domain > SNW_DOMAIN_FRAMES) {
		return format_fault(out, "field '%s': domain %d is not in the table of domains", f->name, f->domain);
	}
	if (f->components == 0) {
		return format_fault(out, "field '%s': it has no components", f->name);
	}
	if (strcmp(f->unit, SNW_UNIT_COLOR) == 0 && f->components != 3) {
		return format_fault(out, "field '%s': a colour has 3 components, it has %u", f->name, f->components);
	}
	return NULL;
}

static const char *descriptor_fault(const snw_descriptor *d, text_buffer out) {
	if (d->size < offsetof(snw_descriptor, parameter_count)) {
		return format_fault(out, "its descriptor has size %u, which is too small to hold its names", d->size);
	}
	if (!is_reverse_dns(d->id)) {
		return format_fault(out, "its id '%s' is not reverse DNS, like org.example.name", d->id ? d->id : "");
	}
	if (!is_word(d->short_name)) {
		return format_fault(out, "its short name '%s' must be lower-case words joined by '-'",
							d->short_name ? d->short_name : "");
	}
	if (strcmp(d->short_name, "source") == 0) {
		return format_fault(out, "its short name 'source' is reserved");
	}
	if (!d->name || !d->version || !d->paper) {
		return format_fault(out, "its name, version or paper is missing (an empty paper is \"\")");
	}
	if ((d->parameter_count > 0 && !d->parameters) || (d->field_count > 0 && !d->fields)) {
		return format_fault(out, "it counts parameters or fields but has no table of them");
	}
	const char *fault = NULL;
	for (uint32_t i = 0; i < d->parameter_count && !fault; i++) {
		fault = parameter_fault(d, i, out);
	}
	for (uint32_t i = 0; i < d->field_count && !fault; i++) {
		fault = field_fault(d, i, out);
	}
	return fault;
}

const char *snw_deformer_fault(const snw_deformer *deformer, char *buffer, size_t buffer_bytes) {
	const text_buffer out = {buffer, buffer_bytes};
	if (deformer->size < offsetof(snw_deformer, create) || !deformer->descriptor) {
		return format_fault(out, "it has no descriptor");
	}
	const char *fault = descriptor_fault(deformer->descriptor, out);
	if (fault) {
		return fault;
	}
	const struct {
		const char *name;
		size_t end;
		bool is_present;
	} required[] = {
#define REQUIRED(name) {#name, offsetof(snw_deformer, name) + sizeof deformer->name, deformer->name != NULL}
		REQUIRED(create),
		REQUIRED(destroy),
		REQUIRED(fit),
		REQUIRED(release),
#undef REQUIRED
	};
	for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
		if (!required[i].is_present || deformer->size < required[i].end) {
			return format_fault(out, "its function '%s' is missing, and every deformer needs it", required[i].name);
		}
	}
	if (!(deformer->descriptor->traits & SNW_BINDS) && (!deformer->save || !deformer->load)) {
		return format_fault(out, "its function '%s' is missing, which every deformer that does not bind must have",
							deformer->save ? "load" : "save");
	}
	if (!deformer->lower && !deformer->deform) {
		return format_fault(out, "it has neither 'lower' nor 'deform'; one is required");
	}
	return NULL;
}

/* ---- requirements -------------------------------------------------------------------------------------------------------- */

static bool any_faces(const snw_scene *scene) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].face_count > 0) {
			return true;
		}
	}
	return false;
}

static bool any_skin(const snw_scene *scene) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].influence_offsets) {
			return true;
		}
	}
	return false;
}

static bool any_target(const snw_scene *scene, bool of_clip) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		if ((scene->targets[t].clip != SNW_NONE) == of_clip) {
			return true;
		}
	}
	return false;
}

snw_status snw_needs_check(const snw_scene *scene, const snw_descriptor *descriptor, snw_error *error) {
	const struct {
		uint32_t need;
		bool is_present;
		const char *requirement, *command;
	} rows[] = {
		{SNW_NEEDS_MESH, scene->mesh_count > 0, "a mesh", "sinew import FILE -o P.sinew"},
		{SNW_NEEDS_FACES, any_faces(scene), "a mesh with faces", "sinew import FILE -o P.sinew"},
		{SNW_NEEDS_SKELETON, scene->skeleton.joint_count > 0, "a skeleton",
		 "sinew import RIGGED.glb -o P.sinew (a skeleton comes with its file; a mesh animation has none)"},
		{SNW_NEEDS_SKIN, any_skin(scene), "skin weights",
		 "sinew import FILE -o P.sinew, of a file whose mesh is bound to its skeleton"},
		{SNW_NEEDS_EXAMPLES, snw_scene_active_example_count(scene) > 0, "examples",
		 "sinew example P.sinew add --name N --pose POSE --file TARGET.obj"},
		{SNW_NEEDS_SEQUENCE, any_target(scene, false), "a mesh animation", "sinew import --sequence 'frames/*.obj' -o P.sinew"},
		{SNW_NEEDS_SAMPLES, snw_scene_active_example_count(scene) + scene->target_count > 0,
		 "examples, targets or a mesh animation",
		 "sinew target P.sinew add --clip NAME --file TARGET.pc2, or sinew example P.sinew add"},
		{SNW_NEEDS_FRAMES, scene->target_count > 0, "a mesh animation or targets",
		 "sinew import --sequence 'frames/*.obj' -o P.sinew, or sinew target P.sinew add --clip NAME --file TARGET.pc2"},
		{SNW_NEEDS_TARGETS, any_target(scene, true), "targets", "sinew target P.sinew add --clip NAME --file TARGET.pc2"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if ((descriptor->needs & rows[i].need) && !rows[i].is_present) {
			return snw_fail(error, SNW_ERROR_MISSING, "%s needs %s, which this project lacks; add it with %s",
							descriptor->short_name, rows[i].requirement, rows[i].command);
		}
	}
	return SNW_OK;
}

bool snw_proposes_only(const snw_descriptor *descriptor) {
	return descriptor->traits & (SNW_MAKES_SKELETON | SNW_MAKES_WEIGHTS);
}

bool snw_layer_is_active(const snw_scene *scene, const snw_descriptor *descriptor) {
	return !(descriptor->traits & SNW_REFITS) || !(descriptor->needs & SNW_NEEDS_EXAMPLES) ||
		   snw_scene_active_example_count(scene) > 0;
}

/* ---- tables of other versions -------------------------------------------------------------------------------------------- */

enum { LARGEST_STRUCT = 64 * 1024, LARGEST_TABLE = 100 * 1000 };

/* The host's copy of a deformer, and the plug-in's table. The copy comes first. */
typedef struct adopted_deformer {
	snw_deformer copy;
	const snw_deformer *original;
} adopted_deformer;

/* Copies a struct that begins with its size; `bytes` is its size in this host. NULL if the stored size is impossible. */
static void *adopt_struct(const void *foreign, size_t least, size_t bytes, snw_arena *arena) {
	uint32_t size;
	memcpy(&size, foreign, sizeof size);
	if (size < least || size > LARGEST_STRUCT) {
		return NULL;
	}
	void *copy = snw_arena_acquire(arena, bytes);
	snw_adopt(copy, bytes, foreign);
	return copy;
}

/* An array of pointers to structs, each copied. */
static const void *adopt_table(const void *const *rows, uint32_t count, size_t row_bytes, snw_arena *arena,
							   const char **reason) {
	if (count == 0 || !rows) {
		return NULL;
	}
	if (count > LARGEST_TABLE) {
		*reason = "its parameter or field table has an impossible length";
		return NULL;
	}
	const void **copies = SNW_NEW_ARRAY(arena, const void *, count);
	for (uint32_t i = 0; i < count; i++) {
		copies[i] = rows[i] ? adopt_struct(rows[i], 2 * sizeof(uint32_t), row_bytes, arena) : NULL;
		if (!copies[i]) {
			*reason = "a row of its parameter or field table is missing or has an impossible size";
			return NULL;
		}
	}
	return copies;
}

/* Fills in the ranges that a table may leave out, so that the host reads them everywhere. */
static void complete_range(snw_parameter *p) {
	uint32_t words = 0;
	while (p->choices && p->choices[words]) {
		words++;
	}
	if (p->minimum == 0 && p->maximum == 0) {
		p->maximum = p->kind == SNW_PARAMETER_SWITCH || p->kind == SNW_PARAMETER_COLOR ? 1
					 : p->kind == SNW_PARAMETER_CHOICE && words > 0                    ? words - 1
																					   : 0;
	}
	if (p->soft_minimum == 0 && p->soft_maximum == 0) {
		p->soft_minimum = p->minimum;
		p->soft_maximum = p->maximum;
	}
}

static const snw_descriptor *adopt_descriptor(const snw_descriptor *foreign, snw_arena *arena, const char **reason) {
	if (!foreign) {
		*reason = "it has no descriptor";
		return NULL;
	}
	snw_descriptor *descriptor = adopt_struct(foreign, sizeof foreign->size, sizeof *descriptor, arena);
	if (!descriptor) {
		*reason = "its descriptor has an impossible size";
		return NULL;
	}
	descriptor->parameters = adopt_table((const void *const *)descriptor->parameters, descriptor->parameter_count,
										 sizeof(snw_parameter), arena, reason);
	for (uint32_t i = 0; descriptor->parameters && i < descriptor->parameter_count; i++) {
		complete_range((snw_parameter *)descriptor->parameters[i]);
	}
	descriptor->fields =
		adopt_table((const void *const *)descriptor->fields, descriptor->field_count, sizeof(snw_field_info), arena, reason);
	return *reason ? NULL : descriptor;
}

/* ---- deformers without a fit --------------------------------------------------------------------------------------------- */

/* Instances and models without a size all lie here. */
static char nothing;

static snw_status SNW_CALL create_nothing(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
	(void)host;
	*instance = (snw_instance *)&nothing;
	return SNW_OK;
}

static void SNW_CALL destroy_nothing(snw_instance *instance) {
	(void)instance;
}

static snw_status SNW_CALL fit_nothing(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	(void)input;
	*model = (snw_model *)&nothing;
	return SNW_OK;
}

static void SNW_CALL release_nothing(snw_model *model) {
	(void)model;
}

/* A deformer that binds and has no fit gets all four functions from the host. */
static void complete_functions(snw_deformer *deformer) {
	if (deformer->descriptor->traits & SNW_BINDS && !deformer->fit) {
		deformer->create = create_nothing;
		deformer->destroy = destroy_nothing;
		deformer->fit = fit_nothing;
		deformer->release = release_nothing;
	}
}

/* ---- deformers and entries ----------------------------------------------------------------------------------------------- */

const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason) {
	*reason = NULL;
	const snw_deformer *copy = adopt_struct(foreign, offsetof(snw_deformer, create), sizeof *copy, arena);
	if (!copy) {
		*reason = "its deformer struct has an impossible size";
		return NULL;
	}
	adopted_deformer *adopted = SNW_NEW(arena, adopted_deformer);
	adopted->copy = *copy;
	adopted->original = foreign;
	adopted->copy.descriptor = adopt_descriptor(adopted->copy.descriptor, arena, reason);
	if (*reason) {
		return NULL;
	}
	complete_functions(&adopted->copy);
	return &adopted->copy;
}

const snw_deformer *snw_deformer_original(const snw_deformer *adopted) {
	return ((const adopted_deformer *)adopted)->original;
}

const snw_entry *snw_entry_adopt(const snw_entry *foreign, snw_arena *arena) {
	return adopt_struct(foreign, offsetof(snw_entry, deformer_count), sizeof *foreign, arena);
}

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

snw_model_layout snw_deformer_layout(const snw_deformer *deformer, const snw_model *model) {
	snw_model_layout layout = {.size = sizeof layout};
	if (deformer->layout) {
		snw_thread_function("layout");
		deformer->layout(model, &layout);
	}
	return layout;
}

snw_status snw_deformer_create(const snw_deformer *deformer, const snw_host *host, snw_instance **instance) {
	snw_thread_function("create");
	return deformer->create(snw_deformer_original(deformer), host, instance);
}

snw_status snw_deformer_save(const snw_deformer *deformer, const snw_model *model, const snw_sink *sink) {
	snw_thread_function("save");
	return deformer->save ? deformer->save(model, sink) : SNW_ERROR_UNSUPPORTED;
}

snw_status snw_deformer_load(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							 const void *bytes, size_t count, snw_model **model) {
	const snw_load_call call = {.size = sizeof call, .host = host, .character = character, .bytes = bytes, .count = count};
	snw_thread_function("load");
	return deformer->load ? deformer->load(snw_deformer_original(deformer), &call, model) : SNW_ERROR_UNSUPPORTED;
}

snw_status snw_deformer_reskin(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							   const snw_rows_view *const *rows, snw_model **model) {
	const snw_reskin_call call = {.size = sizeof call, .host = host, .character = character, .rows = rows};
	snw_thread_function("reskin");
	return deformer->reskin(snw_deformer_original(deformer), &call, model);
}

snw_status snw_deformer_transfer(const snw_deformer *deformer, const snw_transfer_call *call, snw_model **model) {
	snw_thread_function("transfer");
	return deformer->transfer ? deformer->transfer(snw_deformer_original(deformer), call, model) : SNW_ERROR_UNSUPPORTED;
}

snw_status snw_deformer_lower(const snw_deformer *deformer, const snw_host *host, const snw_model *model,
							  const snw_value *values, uint32_t mesh, snw_program_part *part, const char **reason) {
	*part = (snw_program_part){.size = sizeof *part};
	*reason = NULL;
	if (!deformer->lower) {
		*reason = "its plug-in does not lower";
		return SNW_ERROR_UNSUPPORTED;
	}
	const snw_lower_call call = {
		.size = sizeof call, .model = model, .values = values, .mesh = mesh, .part = part, .reason = reason, .host = host};
	snw_thread_function("lower");
	const snw_status status = deformer->lower(&call);
	if (status == SNW_OK && snw_program_unknown(part)) {
		*reason = snw_program_unknown(part);
		return SNW_ERROR_UNSUPPORTED;
	}
	return status;
}

const void *snw_deformer_extension(const snw_deformer *deformer, const char *id) {
	return deformer->extension ? deformer->extension(snw_deformer_original(deformer), id) : NULL;
}

/* All points in order, for each displacement. */
static const uint32_t *list_all_points(uint32_t count, uint32_t point_count, snw_arena *arena) {
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count * point_count);
	for (size_t i = 0; i < (size_t)count * point_count; i++) {
		points[i] = (uint32_t)(i % point_count);
	}
	return points;
}

const char *snw_displacements_adopt(const snw_displacements *foreign, uint32_t point_count, snw_arena *arena,
									snw_displacements *known) {
	*known = (snw_displacements){.size = sizeof *known};
	if (!foreign) {
		return NULL;
	}
	if (foreign->size < offsetof(snw_displacements, joints)) {
		return "whose size is not set";
	}
	snw_adopt(known, sizeof *known, foreign);
	if (known->points || known->count == 0 || !known->offsets || known->offsets[known->count] == 0) {
		return NULL;
	}
	for (uint32_t k = 0; k <= known->count; k++) {
		if (known->offsets[k] != (uint64_t)k * point_count) {
			return "without points, whose offsets are not those of all points";
		}
	}
	known->points = list_all_points(known->count, point_count, arena);
	return NULL;
}
