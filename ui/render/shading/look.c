/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/shading/look.h"

#include <string.h>

#include "render/shading/key_light.h"
#include "render/view/view.h"

const snw_look snw_looks[SNW_LOOK_COUNT] = {
	{"materials", "Materials", 0},
	{"clay", "Clay", SNW_VIEW_CLAY},
	{"x-ray", "X-ray", SNW_VIEW_XRAY},
	{"edges", "Edges", SNW_VIEW_HOLLOW},
	{"matcap-clay", "Clay", SNW_VIEW_MATCAP_CLAY},
	{"matcap-skin", "Skin", SNW_VIEW_MATCAP_SKIN},
	{"matcap-chrome", "Chrome", SNW_VIEW_MATCAP_CHROME},
};

const char *const snw_lights_words[] = {"studio", "raking", "even", NULL};
_Static_assert(sizeof snw_lights_words / sizeof *snw_lights_words == SNW_LIGHTS_COUNT + 1, "a word is missing");

const snw_look *snw_look_find(const char *word) {
	for (int i = 0; i < SNW_LOOK_COUNT; i++) {
		if (strcmp(snw_looks[i].word, word) == 0) {
			return &snw_looks[i];
		}
	}
	return NULL;
}

uint32_t snw_look_of(uint32_t flags) {
	uint32_t look = SNW_LOOK_COUNT - 1;
	while (look > 0 && (flags & snw_looks[look].flags) != snw_looks[look].flags) {
		look--;
	}
	return look;
}

uint32_t snw_look_put(uint32_t flags, uint32_t look) {
	return (flags & ~snw_looks[snw_look_of(flags)].flags) | snw_looks[look].flags;
}
