/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: its form and version, its nodes, and their values.
 */
#include "import/fbx/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool snw_fbx_fail(snw_fbx *f, snw_status status, const char *format, ...) {
	char text[800];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	f->status = snw_fail(f->error, status, "%s: %s", f->path, text);
	return false;
}

bool snw_fbx_progress(snw_fbx *f, double fraction, const char *activity) {
	if (snw_task_progress(f->task, fraction, activity)) {
		return true;
	}
	return snw_fbx_fail(f, SNW_CANCELLED, "the import was cancelled; nothing was written");
}

bool snw_fbx_reserve(snw_fbx *f, uint64_t count, uint64_t element_bytes) {
	uint64_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > f->budget) {
		return snw_fbx_fail(
			f, SNW_ERROR_LIMIT,
			"the scene needs far more memory than a file of %zu bytes should; it may be damaged, or has too many "
			"instances: export fewer",
			f->file.count);
	}
	f->budget -= bytes;
	return true;
}

/* ---- making nodes -------------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES ((size_t)256 << 10)

/* Zeroed memory for small things, many in one piece of the arena. */
static void *take(snw_fbx *f, uint64_t count, size_t element_bytes) {
	if (!snw_fbx_reserve(f, count, element_bytes)) {
		return NULL;
	}
	const size_t bytes = (size_t)count * element_bytes;
	if (bytes > BLOCK_BYTES / 4) {
		return snw_arena_acquire(f->scratch, bytes);
	}
	if ((size_t)(f->block_end - f->block) < bytes) {
		f->block = snw_arena_acquire(f->scratch, BLOCK_BYTES);
		f->block_end = f->block + BLOCK_BYTES;
	}
	void *taken = f->block;
	f->block += bytes;
	return taken;
}

snw_fbx_node *snw_fbx_add_node(snw_fbx *f, snw_fbx_node *parent, snw_fbx_node *last) {
	snw_fbx_node *node = take(f, 1, sizeof *node);
	if (node) {
		*(last ? &last->next : &parent->child) = node;
	}
	return node;
}

snw_fbx_value *snw_fbx_add_values(snw_fbx *f, uint32_t count) {
	return take(f, count, sizeof(snw_fbx_value));
}

/* ---- reading nodes ------------------------------------------------------------------------------------------------------- */

static bool are_equal(const char *bytes, size_t count, const char *text) {
	return strlen(text) == count && memcmp(bytes, text, count) == 0;
}

bool snw_fbx_is(const snw_fbx_node *node, const char *name) {
	return are_equal(node->name, node->name_length, name);
}

const snw_fbx_node *snw_fbx_child(const snw_fbx_node *node, const char *name) {
	const snw_fbx_node *child = node ? node->child : NULL;
	while (child && !snw_fbx_is(child, name)) {
		child = child->next;
	}
	return child;
}

static const snw_fbx_value *value_at(const snw_fbx_node *node, uint32_t index) {
	return node && index < node->value_count ? &node->values[index] : NULL;
}

int64_t snw_fbx_integer(const snw_fbx_node *node, uint32_t index, int64_t otherwise) {
	const snw_fbx_value *value = value_at(node, index);
	if (value && value->kind == SNW_FBX_NUMBER && fabs(value->number) < 0x1p62) {
		return (int64_t)value->number;
	}
	return value && value->kind == SNW_FBX_INTEGER ? value->integer : otherwise;
}

double snw_fbx_number(const snw_fbx_node *node, uint32_t index, double otherwise) {
	const snw_fbx_value *value = value_at(node, index);
	if (value && value->kind == SNW_FBX_INTEGER) {
		return (double)value->integer;
	}
	return value && value->kind == SNW_FBX_NUMBER && isfinite(value->number) ? value->number : otherwise;
}

bool snw_fbx_text_is(const snw_fbx_node *node, uint32_t index, const char *text) {
	const snw_fbx_value *value = value_at(node, index);
	return value && value->kind == SNW_FBX_TEXT && are_equal((const char *)value->bytes.data, value->bytes.count, text);
}

/* Text files write a quotation mark inside a text as &quot; */
static void decode_quotes(char *text) {
	static const char quote[] = "&quot;";
	char *to = text;
	for (const char *from = text; *from;) {
		const bool is_quote = strncmp(from, quote, sizeof quote - 1) == 0;
		*to++ = is_quote ? '"' : *from;
		from += is_quote ? sizeof quote - 1 : 1;
	}
	*to = '\0';
}

char *snw_fbx_text(snw_fbx *f, const snw_fbx_node *node, uint32_t index) {
	const snw_fbx_value *value = value_at(node, index);
	if (!value || value->kind != SNW_FBX_TEXT) {
		return NULL;
	}
	char *text = snw_arena_acquire(f->scratch, value->bytes.count + 1);
	memcpy(text, value->bytes.data, value->bytes.count);
	if (f->is_text) {
		decode_quotes(text);
	}
	return text;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

static bool check_version(snw_fbx *f) {
	if (f->version == 0) {
		return snw_fbx_fail(f, SNW_ERROR_DATA, "has no FBX version; it is not FBX, or damaged");
	}
	if (f->version / 1000 != 7) {
		return snw_fbx_fail(
			f, SNW_ERROR_UNSUPPORTED,
			"is FBX %u.%u; only version 7 is read: export it as FBX 2011 or later (Autodesk's free FBX Converter "
			"does), or as .glb",
			f->version / 1000, f->version % 1000 / 100);
	}
	return true;
}

bool snw_fbx_open(snw_fbx *f) {
	static const char magic[] = "Kaydara FBX Binary  ";
	const snw_status status = snw_file_read(f->path, f->scratch, &f->file, f->error);
	if (snw_failed(status)) {
		f->status = status;
		return false;
	}
	f->budget = SNW_FBX_BUDGET + SNW_FBX_GROWTH * f->file.count;
	f->is_text = f->file.count < sizeof magic || memcmp(f->file.data, magic, sizeof magic) != 0;
	if (f->is_text) {
		if (!snw_fbx_parse_text(f)) {
			return false;
		}
		const snw_fbx_node *header = snw_fbx_child(&f->root, "FBXHeaderExtension");
		const int64_t version = snw_fbx_integer(snw_fbx_child(header, "FBXVersion"), 0, 0);
		f->version = version > 0 && version < 100000 ? (uint32_t)version : 0;
		return check_version(f);
	}
	return snw_fbx_parse_binary(f) && check_version(f);
}
