/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties of the models of every shipped deformer: saving a loaded model gives the same bytes, damaged bytes and those of
 * another character are refused, and a host without memory gets a status.
 */
#include "arms/bare_arm.h"
#include "arms/shrunk_arm.h"
#include "random.h"
#include "scene/scene.h"
#include "sinew/bytes.h"
#include "thinned.h"

static snw_registry *registry;
static snw_scene *small, *bar, *corrected, *inverted, *weighted, *weighed, *rowed, *multiple, *helped, *thin, *reshaped,
	*helped_thin, *regressed, *eigen, *proxied, *twisted, *whole, *cloth, *played;
static snw_services *services;

static int open_all(void **state) {
	(void)state;
	snw_error error = {0};
	registry = snw_registry_open();
	services = snw_services_create(NULL, NULL, NULL, NULL);
	if (snw_failed(snw_sample_make("bar", &bar, &error)) || snw_failed(snw_sample_make("cloth", &cloth, &error)) ||
		snw_failed(snw_sample_make("twist-bar", &twisted, &error))) {
		print_error("%s\n", error.text);
		return -1;
	}
	small = tiny_arm();
	thin_targets(small, 8);
	thin_targets(cloth, 15);
	corrected = fitting_try(small, registry, "inverse-psd", 0, NULL, &error);
	/* With the remainder of a black box; and with classes of points, and slopes. */
	inverted = fitting_try(small, registry, "inverse-psd", 1, &(snw_setting){"solver", SNW_VALUE(2)}, &error);
	weighted = fitting_try(small, registry, "inverse-psd", 2,
						   (const snw_setting[]){{"weighted", SNW_VALUE(1)}, {"polynomial", SNW_VALUE(3)}}, &error);
	weighed = fitting_try(small, registry, "linear-blend-fit", 0, NULL, &error);
	rowed = fitting_try(small, registry, "animation-space", 0, NULL, &error);
	multiple = fitting_try(small, registry, "multi-weight", 0, NULL, &error);
	helped = fitting_try(small, registry, "helper-joints", 1, (const snw_setting[]){{"helpers", SNW_VALUE(3)}}, &error);
	/* With rest shapes. */
	thin = shrunk_arm(small, registry, true);
	reshaped = fitting_try(thin, registry, "linear-blend-fit", 0, NULL, &error);
	helped_thin = fitting_try(thin, registry, "helper-joints", 1, (const snw_setting[]){{"helpers", SNW_VALUE(1)}}, &error);
	regressed = fitting_try(small, registry, "pose-regression", 0, NULL, &error);
	eigen = fitting_try(small, registry, "eigenskin", 0, NULL, &error);
	proxied =
		fitting_try(small, registry, "rotational-regression", 1, (const snw_setting[]){{"proxies", SNW_VALUE(12)}}, &error);
	/* Of few points: the full model keeps predictors for each triangle. */
	whole =
		fitting_try(twisted, registry, "rotational-regression", 1, (const snw_setting[]){{"proxies", SNW_VALUE(0)}}, &error);
	played = fitting_try(cloth, registry, "sad", 3,
						 (const snw_setting[]){{"joints", SNW_VALUE(4)}, {"eigen", SNW_VALUE(2)}, {"normals", SNW_VALUE(1)}},
						 &error);
	return corrected && inverted && weighted && weighed && rowed && multiple && helped && reshaped && helped_thin &&
				   regressed && eigen && proxied && whole && played
			   ? 0
			   : -1;
}

static int close_all(void **state) {
	(void)state;
	snw_scene_destroy(corrected);
	snw_scene_destroy(inverted);
	snw_scene_destroy(weighted);
	snw_scene_destroy(weighed);
	snw_scene_destroy(rowed);
	snw_scene_destroy(multiple);
	snw_scene_destroy(helped);
	snw_scene_destroy(thin);
	snw_scene_destroy(reshaped);
	snw_scene_destroy(helped_thin);
	snw_scene_destroy(regressed);
	snw_scene_destroy(eigen);
	snw_scene_destroy(proxied);
	snw_scene_destroy(small);
	snw_scene_destroy(whole);
	snw_scene_destroy(twisted);
	snw_scene_destroy(played);
	snw_scene_destroy(cloth);
	snw_scene_destroy(bar);
	snw_services_destroy(services);
	snw_registry_close(registry);
	return 0;
}

typedef struct bytes {
	unsigned char *data;
	size_t count;
} bytes;

static snw_status gather(void *context, const void *data, size_t count) {
	bytes *all = context;
	all->data = realloc(all->data, all->count + count);
	assert_non_null(all->data);
	memcpy(all->data + all->count, data, count);
	all->count += count;
	return SNW_OK;
}

static bytes save_model(const snw_deformer *deformer, const snw_model *model) {
	bytes all = {0};
	const snw_sink sink = {.size = sizeof sink, .context = &all, .write = gather};
	assert_int_equal(deformer->save(model, &sink), SNW_OK);
	return all;
}

/* Deformers, the characters of their models, and scenes in which these are fitted; NULL where they bind. */
static const struct {
	const char *name;
	snw_scene *const *scene, *const *fitted;
} shipped[] = {
	{"linear-blend", &small, NULL},
	{"dual-quaternion", &small, NULL},
	{"smooth", &small, NULL},
	{"inverse-psd", &small, &corrected},
	{"inverse-psd", &small, &inverted},
	{"inverse-psd", &small, &weighted},
	{"linear-blend-fit", &small, &weighed},
	{"animation-space", &small, &rowed},
	{"multi-weight", &small, &multiple},
	{"helper-joints", &small, &helped},
	{"linear-blend-fit", &thin, &reshaped},
	{"helper-joints", &thin, &helped_thin},
	{"pose-regression", &small, &regressed},
	{"eigenskin", &small, &eigen},
	{"rotational-regression", &small, &proxied},
	{"rotational-regression", &twisted, &whole},
	{"sad", &cloth, &played},
};

/* The bytes of a model of the d-th deformer. */
static bytes bytes_of(size_t d, const snw_deformer *deformer, const snw_character_view *character) {
	if (!(deformer->descriptor->traits & SNW_BINDS)) {
		bytes all = {0};
		const snw_saved_model *model = (*shipped[d].fitted)->models;
		gather(&all, model->bytes, model->byte_count);
		return all;
	}
	const snw_fit_input input = {.size = sizeof input, .character = character};
	snw_instance *instance;
	snw_model *model;
	assert_int_equal(snw_deformer_create(deformer, snw_services_host(services), &instance), SNW_OK);
	assert_int_equal(deformer->fit(instance, &input, &model), SNW_OK);
	deformer->destroy(instance);
	const bytes all = save_model(deformer, model);
	deformer->release(model);
	return all;
}

static void loaded_model_saves_to_the_same_bytes(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	for (size_t d = 0; d < sizeof shipped / sizeof *shipped; d++) {
		const snw_deformer *deformer = snw_registry_find(registry, shipped[d].name);
		const snw_character_view *character = snw_character_view_make(*shipped[d].scene, arena);
		assert_non_null(deformer);
		bytes first = bytes_of(d, deformer, character);
		snw_model *model;
		assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), character, first.data, first.count, &model),
						 SNW_OK);
		bytes again = save_model(deformer, model);
		deformer->release(model);
		assert_int_equal(first.count, again.count);
		assert_memory_equal(first.data, again.data, first.count);
		free(first.data);
		free(again.data);
	}
	assert_int_equal(snw_services_bytes(services), 0);
	snw_arena_destroy(arena);
}

static void damaged_bytes_are_refused(void **state) {
	(void)state;
	uint64_t random = random_seed();
	snw_arena *arena = snw_arena_create();
	for (size_t d = 0; d < sizeof shipped / sizeof *shipped; d++) {
		const snw_deformer *deformer = snw_registry_find(registry, shipped[d].name);
		const snw_character_view *character = snw_character_view_make(*shipped[d].scene, arena);
		bytes all = bytes_of(d, deformer, character);
		for (int n = 0; n < 60; n++) {
			snw_model *model = NULL;
			const size_t at = n < 24 ? (size_t)n * 2 : random_below(&random, all.count);
			const size_t count = n % 2 ? at : all.count;
			all.data[at] ^= (unsigned char)(1 << n % 8);
			assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), character, all.data, count, &model),
							 SNW_ERROR_DATA);
			assert_null(model);
			all.data[at] ^= (unsigned char)(1 << n % 8);
		}
		free(all.data);
	}
	assert_int_equal(snw_services_bytes(services), 0);
	snw_arena_destroy(arena);
}

/* Bytes with a valid seal but contents out of range, as a hostile file has. */
static void resealed_damage_is_refused_or_harmless(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	uint64_t random = 7;
	for (size_t d = 0; d < sizeof shipped / sizeof *shipped; d++) {
		const snw_deformer *deformer = snw_registry_find(registry, shipped[d].name);
		const snw_character_view *character = snw_character_view_make(*shipped[d].scene, arena);
		bytes all = bytes_of(d, deformer, character);
		const size_t inside = all.count - sizeof(uint64_t);
		unsigned char *copy = malloc(all.count);
		uint32_t refused = 0;
		for (int n = 0; n < 160; n++) {
			memcpy(copy, all.data, all.count);
			const size_t at = n < 100 ? (size_t)n : random_below(&random, inside);
			copy[at] = (unsigned char)(n % 3 == 0 ? 0xff : n % 3 == 1 ? copy[at] ^ 0x80 : copy[at] + 1);
			const uint64_t sum = snw_bytes_sum(0, copy, inside);
			memcpy(copy + inside, &sum, sizeof sum);
			snw_model *model = NULL;
			const snw_status status =
				snw_deformer_load(deformer, snw_services_host(services), character, copy, all.count, &model);
			assert_true(status == SNW_OK || status == SNW_ERROR_DATA);
			refused += status != SNW_OK;
			if (model) {
				deformer->release(model);
			}
		}
		assert_true(refused >= 20);
		free(copy);
		free(all.data);
	}
	snw_arena_destroy(arena);
}

/* Counts that cost a file no bytes must not become sizes: slots without tracks. */
static void sad_slots_that_take_no_bytes_are_refused(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_character_view *character = snw_character_view_make(small, arena);
	const snw_deformer *deformer = snw_registry_find(registry, "sad");
	bytes all = {0};
	const snw_sink sink = {.size = sizeof sink, .context = &all, .write = gather};
	snw_writer writer = {.sink = &sink};
	snw_write(&writer, "SinewSAD", 8);
	snw_write_u32(&writer, 1);
	snw_write_u32(&writer, 12);
	snw_write_u32(&writer, character->mesh_count);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const uint32_t points = character->meshes[m]->point_count;
		snw_write_u32(&writer, points);
		snw_write_u32(&writer, m == 0 ? 1000000 : 0);
		for (uint32_t i = 0; m == 0 && i <= points; i++) {
			snw_write_u32(&writer, 0);
		}
		if (m == 0) {
			snw_write_u32(&writer, 0); /* no normals */
			snw_write_u32(&writer, 0); /* no displacements */
		}
	}
	snw_write_u32(&writer, 0); /* no tracks */
	snw_write_seal(&writer);
	snw_model *model = NULL;
	assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), character, all.data, all.count, &model),
					 SNW_ERROR_DATA);
	free(all.data);
	snw_arena_destroy(arena);
}

static void model_of_another_character_is_refused(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_character_view *other = snw_character_view_make(bar, arena);
	for (size_t d = 0; d < sizeof shipped / sizeof *shipped; d++) {
		const snw_deformer *deformer = snw_registry_find(registry, shipped[d].name);
		const snw_character_view *character = snw_character_view_make(*shipped[d].scene, arena);
		bytes all = bytes_of(d, deformer, character);
		snw_model *model = NULL;
		assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), other, all.data, all.count, &model),
						 SNW_ERROR_DATA);
		free(all.data);
	}
	snw_arena_destroy(arena);
}

/* A host whose memory runs out after a number of blocks. */
typedef struct poor_host {
	snw_host host;
	int allowed;
} poor_host;

static void *poor_acquire(const snw_host *host, size_t count) {
	poor_host *poor = host->context;
	return poor->allowed-- > 0 ? aligned_alloc(64, (count + 63) / 64 * 64) : NULL;
}

static void *poor_acquire_zeroed(const snw_host *host, size_t count) {
	void *memory = poor_acquire(host, count);
	return memory ? memset(memory, 0, count) : NULL;
}

static void poor_release(const snw_host *host, void *memory) {
	(void)host;
	free(memory);
}

static const void *poor_service(const snw_host *host, const char *id) {
	static const snw_memory_service memory = {.size = sizeof memory, .acquire = poor_acquire_zeroed, .release = poor_release};
	(void)host;
	return strcmp(id, SNW_SERVICE_MEMORY) == 0 ? &memory : NULL;
}

static void load_without_memory_gives_a_status(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	for (size_t d = 0; d < sizeof shipped / sizeof *shipped; d++) {
		const snw_deformer *deformer = snw_registry_find(registry, shipped[d].name);
		const snw_character_view *character = snw_character_view_make(*shipped[d].scene, arena);
		bytes all = bytes_of(d, deformer, character);
		int loaded = 0;
		for (int blocks = 0; !loaded && blocks < 1000; blocks++) {
			poor_host poor = {.host = {.size = sizeof(snw_host), .service = poor_service}, .allowed = blocks};
			poor.host.context = &poor;
			snw_model *model = NULL;
			const snw_status status = snw_deformer_load(deformer, &poor.host, character, all.data, all.count, &model);
			assert_true(status == SNW_OK || status == SNW_ERROR_MEMORY);
			loaded = status == SNW_OK;
			if (loaded) {
				deformer->release(model);
			}
		}
		assert_true(loaded);
		free(all.data);
	}
	snw_arena_destroy(arena);
}

TEST_GROUP(models) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loaded_model_saves_to_the_same_bytes),   cmocka_unit_test(damaged_bytes_are_refused),
		cmocka_unit_test(resealed_damage_is_refused_or_harmless), cmocka_unit_test(model_of_another_character_is_refused),
		cmocka_unit_test(load_without_memory_gives_a_status),     cmocka_unit_test(sad_slots_that_take_no_bytes_are_refused),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
