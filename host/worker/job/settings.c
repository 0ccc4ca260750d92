/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/settings.h"

enum { NUMBERS = sizeof((snw_value *)NULL)->numbers / sizeof(double) };

void snw_record_put_settings(FILE *out, const snw_setting *settings, uint32_t count) {
	snw_record_put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_record_put_text(out, settings[i].key);
		snw_record_put_f64s(out, settings[i].value.numbers, NUMBERS);
		snw_record_put_text(out, settings[i].value.text);
	}
}

bool snw_record_get_settings(snw_reader *reader, snw_arena *arena, const snw_setting **settings, uint32_t *count) {
	*count = snw_read_count(reader, 2 * sizeof(uint32_t) + NUMBERS * sizeof(double));
	snw_setting *read = SNW_NEW_ARRAY(arena, snw_setting, *count);
	bool whole = true;
	for (uint32_t i = 0; i < *count; i++) {
		read[i].key = snw_record_get_text(reader, arena);
		snw_read(reader, read[i].value.numbers, sizeof read[i].value.numbers);
		read[i].value.text = snw_record_get_text(reader, arena);
		whole = whole && read[i].key && read[i].key[0];
	}
	*settings = read;
	return whole && !reader->failed;
}
