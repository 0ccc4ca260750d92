/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/settings.h"

void snw_put_settings(snw_stream *out, const snw_setting *settings, uint32_t count) {
	snw_put_number(out, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_put_text(out, settings[i].key);
		snw_put_bytes(out, settings[i].value.numbers, sizeof settings[i].value.numbers);
		snw_put_text(out, settings[i].value.text);
	}
}

bool snw_get_settings(snw_stream *in, snw_arena *arena, const snw_setting **settings, uint32_t *count) {
	*count = snw_get_count(in);
	snw_setting *read = SNW_NEW_ARRAY(arena, snw_setting, *count);
	bool whole = true;
	for (uint32_t i = 0; i < *count; i++) {
		read[i].key = snw_get_text(in, arena);
		snw_get_bytes(in, read[i].value.numbers, sizeof read[i].value.numbers);
		read[i].value.text = snw_get_text(in, arena);
		whole = whole && read[i].key && read[i].key[0];
	}
	*settings = read;
	return whole && !in->is_broken;
}
