/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/engine.h"

#include <stddef.h>
#include <string.h>

/* Joints have 16-bit indices in glTF (2.0, section 3.7.3.3). WebGL 2 guarantees 256 layers of an array texture, which is where
 * three.js and Babylon.js have the morph targets. */
enum { INDEXED = 65536, LAYERS = 256 };

static const snw_engine engines[] = {
	{"three", "three.js", 4, INDEXED, LAYERS, false, false},
	{"babylon", "Babylon.js", 8, INDEXED, LAYERS, false, false},
	{"bevy", "Bevy", 4, 256, 256, false, false},
	{"filament", "Filament", 4, 256, 256, false, false},
	{"godot", "Godot", 8, INDEXED, UINT32_MAX, false, false},
	{"unity", "Unity", 4, INDEXED, UINT32_MAX, true, true},
	{"unreal", "Unreal", 8, INDEXED, UINT32_MAX, false, true},
	{"vrm", "VRM", 4, INDEXED, UINT32_MAX, true, false},
	{"maya", "Maya", 8, INDEXED, UINT32_MAX, false, true},
	{"roblox", "Roblox", 4, INDEXED, 0, true, false},
};

/* One joint and one morph target below the smallest limit, for those who count in a byte. Packers clamp weights as well. */
static const snw_engine any = {"", "every engine", 4, 255, 255, true, false};

const snw_engine *snw_engines(uint32_t index) {
	return index < sizeof engines / sizeof *engines ? &engines[index] : NULL;
}

const snw_engine *snw_engine_find(const char *name) {
	for (uint32_t i = 0; snw_engines(i); i++) {
		if (strcmp(engines[i].name, name) == 0) {
			return &engines[i];
		}
	}
	return NULL;
}

const snw_engine *snw_engine_any(void) {
	return &any;
}
