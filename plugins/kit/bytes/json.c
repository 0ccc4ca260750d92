/* SPDX-License-Identifier: MIT */
#include "sinew/kit/bytes/json.h"
#include "sinew/kit/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

snk_json snk_json_start(const snw_sink *sink) {
	return (snk_json){.writer = {.sink = sink}};
}

static void write_text(snk_json *json, const char *text) {
	snw_write(&json->writer, text, strlen(text));
}

static void write_string(snk_json *json, const char *text) {
	write_text(json, "\"");
	for (const char *c = text; *c; c++) {
		if (*c == '"' || *c == '\\') {
			snw_write(&json->writer, "\\", 1);
		}
		if ((unsigned char)*c < 0x20) {
			char escaped[8];
			snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*c);
			write_text(json, escaped);
		} else {
			snw_write(&json->writer, c, 1);
		}
	}
	write_text(json, "\"");
}

/* What comes before a value: a comma, and in an object its key. */
static void begin_value(snk_json *json, const char *key) {
	if (json->needs_comma) {
		write_text(json, ",");
	}
	if (key) {
		write_string(json, key);
		write_text(json, ":");
	}
	json->needs_comma = 1;
}

static void open_with(snk_json *json, const char *key, const char *bracket) {
	begin_value(json, key);
	write_text(json, bracket);
	json->depth++;
	json->needs_comma = 0;
}

static void close_with(snk_json *json, const char *bracket) {
	write_text(json, bracket);
	json->depth--;
	json->needs_comma = 1;
}

void snk_json_open_object(snk_json *json, const char *key) {
	open_with(json, key, "{");
}

void snk_json_close_object(snk_json *json) {
	close_with(json, "}");
}

void snk_json_open_array(snk_json *json, const char *key) {
	open_with(json, key, "[");
}

void snk_json_close_array(snk_json *json) {
	close_with(json, "]");
}

void snk_json_text(snk_json *json, const char *key, const char *text) {
	begin_value(json, key);
	write_string(json, text);
}

/* A locale's decimal separator may be more than one byte long. */
static void restore_point(char *number) {
	char *to = number;
	for (const char *from = number; *from; from++) {
		const int is_plain = strchr("+-0123456789e", *from) != NULL;
		if (is_plain) {
			*to++ = *from;
		} else if (to > number && to[-1] != '.') {
			*to++ = '.';
		}
	}
	*to = 0;
}

void snk_json_number(snk_json *json, const char *key, double number) {
	char text[48] = "null";
	if (isfinite(number)) {
		snprintf(text, sizeof text, "%.17g", number);
		restore_point(text);
	}
	begin_value(json, key);
	write_text(json, text);
}

void snk_json_integer(snk_json *json, const char *key, int64_t number) {
	char text[24];
	snprintf(text, sizeof text, "%" PRId64, number);
	begin_value(json, key);
	write_text(json, text);
}

void snk_json_boolean(snk_json *json, const char *key, int value) {
	begin_value(json, key);
	write_text(json, value ? "true" : "false");
}

void snk_json_numbers(snk_json *json, const char *key, size_t count, const double *numbers) {
	snk_json_open_array(json, key);
	for (size_t i = 0; i < count; i++) {
		snk_json_number(json, NULL, numbers[i]);
	}
	snk_json_close_array(json);
}

snw_status snk_json_finish(const snk_json *json) {
	return !snk_failed(json->writer.status) && json->depth != 0 ? SNW_ERROR_INTERNAL : json->writer.status;
}
