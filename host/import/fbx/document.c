/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: its form and version, its nodes, and their values.
 */
#include "import/fbx/document.h"

#include <math.h>
#include <string.h>

/* ---- making nodes -------------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES ((size_t)256 << 10)

/* Zeroed memory for small things, many in one piece of the arena. */
static void *take(snw_fbx *f, uint64_t count, size_t element_bytes) {
	if (!snw_reading_reserve(&f->reading, count, element_bytes)) {
		return NULL;
	}
	const size_t bytes = (size_t)count * element_bytes;
	if (bytes > BLOCK_BYTES / 4) {
		return snw_arena_acquire(f->reading.scratch, bytes);
	}
	if ((size_t)(f->block_end - f->block) < bytes) {
		f->block = snw_arena_acquire(f->reading.scratch, BLOCK_BYTES);
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
	char *text = snw_arena_acquire(f->reading.scratch, value->bytes.count + 1);
	memcpy(text, value->bytes.data, value->bytes.count);
	if (f->is_text) {
		decode_quotes(text);
	}
	return text;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

static bool check_version(snw_fbx *f) {
	if (f->version == 0) {
		return snw_reading_fail(&f->reading, SNW_ERROR_DATA, "has no FBX version; it is not FBX, or damaged");
	}
	if (f->version / 1000 != 7) {
		return snw_reading_fail(
			&f->reading, SNW_ERROR_UNSUPPORTED,
			"is FBX %u.%u; only version 7 is read: export it as FBX 2011 or later (Autodesk's free FBX Converter "
			"does), or as .glb",
			f->version / 1000, f->version % 1000 / 100);
	}
	return true;
}

bool snw_fbx_open(snw_fbx *f) {
	static const char magic[] = SNW_FBX_MAGIC;
	const snw_status status = snw_file_read(f->reading.path, f->reading.scratch, &f->file, f->reading.error);
	if (snw_failed(status)) {
		f->reading.status = status;
		return false;
	}
	snw_reading_add_file(&f->reading, f->file.count);
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
