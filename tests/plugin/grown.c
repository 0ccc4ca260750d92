/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A method to test the growth of the ABI. It is compiled with the headers as they are, with headers with fewer members and
 * with headers with more (grow_headers.py), and must give the same bits with each.
 *
 * Each group moves its points from where the layers below put them towards its examples, by the similarity of its joint's
 * rotation to that of the group's first example. The structs that it receives must have the sizes of the real headers, and
 * the structs that it provides end before members that crash a host that reads them.
 */
#include GROWN_HEADER

#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/plugin.h"
#include "struct_sizes.h"

/* Whether the struct behind `pointer`, which the host filled, ends where the real headers end it. */
#if GROWN > 0
#define SIZED(pointer)                                                                                                         \
	((size_t)((const char *)&(pointer)->grown_number - (const char *)(pointer)) == (pointer)->size &&                          \
	 !SNW_HAS(pointer, grown_number) && !SNW_HAS(pointer, grown_text))
#define NEW_MEMBERS .grown_number = UINT64_MAX, .grown_text = "unknown to the host",
#elif GROWN < 0
#define SIZED(pointer) (sizeof *(pointer) <= (pointer)->size)
#define NEW_MEMBERS
#else
#define SIZED(pointer) (sizeof *(pointer) == (pointer)->size)
#define NEW_MEMBERS
#endif

enum { STRENGTH, FALLOFF, PROFILE, RUNS, PARAMETERS };
static const char *const profiles[] = {"round", "pointed", NULL};
static const char *const runs[] = {"program", "deform", NULL};

#define PARAMETER(...)                                                                                                         \
	&(const snw_parameter) {                                                                                                   \
		.size = sizeof(snw_parameter), .help = "", .unit = "", NEW_MEMBERS __VA_ARGS__                                         \
	}
static const snw_parameter *const parameters[PARAMETERS] = {
	[STRENGTH] =
		PARAMETER(.key = "strength", .label = "Strength", .kind = SNW_PARAMETER_NUMBER, .stage = SNW_STAGE_FIT,
				  .initial = SNW_VALUE(1), .maximum = 2, .soft_maximum = 2, .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT),
	[FALLOFF] = PARAMETER(.key = "falloff", .label = "Falloff", .kind = SNW_PARAMETER_NUMBER, .stage = SNW_STAGE_DRIVE,
						  .initial = SNW_VALUE(1), .maximum = 10, .soft_maximum = 2),
	[PROFILE] = PARAMETER(.key = "profile", .label = "Profile", .kind = SNW_PARAMETER_CHOICE, .stage = SNW_STAGE_DRIVE,
						  .maximum = 1, .soft_maximum = 1, .choices = profiles),
	[RUNS] = PARAMETER(.key = "runs", .label = "Runs", .kind = SNW_PARAMETER_CHOICE, .stage = SNW_STAGE_LOWER, .maximum = 1,
					   .soft_maximum = 1, .choices = runs),
};

#define FIELD(...)                                                                                                             \
	&(const snw_field_info) {                                                                                                  \
		.size = sizeof(snw_field_info), .help = "", .domain = SNW_DOMAIN_POINTS, .components = 1, NEW_MEMBERS __VA_ARGS__      \
	}
static const snw_field_info *const fields[] = {
	FIELD(.name = "mask", .label = "Mask", .unit = ""),
	FIELD(.name = "moved-by", .label = "Moved by", .unit = "m", .written = 1),
};

static const snw_descriptor descriptor = {.size = sizeof descriptor,
										  .id = "org.sinew.test.grown",
										  .short_name = "test-grown",
										  .name = "Grown",
										  .version = "1.0",
										  .paper = "",
										  .needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_EXAMPLES | SNW_NEEDS_TARGETS,
										  .parameter_count = PARAMETERS,
										  .parameters = parameters,
										  .field_count = sizeof fields / sizeof *fields,
										  .fields = fields,
										  NEW_MEMBERS};

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

typedef struct group {
	uint32_t joint;
	double center[3]; /* its rotation vector at the group's first example */
} group;

/* One mesh: displacement g belongs to group g. */
typedef struct mesh {
	uint32_t point_count;
	uint64_t *offsets;
	uint32_t *coefficients, *points;
	double *vectors;
	/* The host reads no further than `displacements.size`. */
	struct {
		snw_displacements displacements;
		const void *behind[4];
	} rest;
} mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself */
	uint64_t joint_names;
	double reach; /* the largest rotation of a joint in the targets, radians */
	uint32_t group_count, mesh_count;
	group *groups;
	mesh *meshes;
};

static uint64_t sum_names(const snw_skeleton_view *skeleton) {
	uint64_t sum = 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		sum = snw_bytes_sum(sum, skeleton->names[j], strlen(skeleton->names[j]));
	}
	return sum;
}

static snw_model *make_model(const snw_host *host, const snw_character_view *character, uint32_t group_count) {
	snw_pool pool = snw_pool_open(host);
	snw_model *model = SNW_POOL_ARRAY(&pool, snw_model, 1);
	group *groups = SNW_POOL_ARRAY(&pool, group, group_count);
	mesh *meshes = SNW_POOL_ARRAY(&pool, mesh, character->mesh_count);
	if (pool.failed) {
		snw_pool_release(&pool);
		return NULL;
	}
	*model = (snw_model){pool, sum_names(character->skeleton), 0, group_count, character->mesh_count, groups, meshes};
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		meshes[m].point_count = character->meshes[m]->point_count;
	}
	return model;
}

static void release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}

/* Room for `entries` displaced points. */
static int make_displacements(snw_model *model, mesh *dest, uint32_t entries) {
	const uint32_t count = model->group_count;
	dest->coefficients = SNW_POOL_ARRAY(&model->pool, uint32_t, count);
	dest->offsets = SNW_POOL_ARRAY(&model->pool, uint64_t, count + 1);
	dest->points = SNW_POOL_ARRAY(&model->pool, uint32_t, entries);
	dest->vectors = SNW_POOL_ARRAY(&model->pool, double, 3 * (size_t)entries);
	for (uint32_t g = 0; g < count && !model->pool.failed; g++) {
		dest->coefficients[g] = g;
	}
	memset(&dest->rest, 1, sizeof dest->rest);
	dest->rest.displacements = (snw_displacements){.size = sizeof dest->rest.displacements,
												   .count = count,
												   .coefficients = dest->coefficients,
												   .offsets = dest->offsets,
												   .points = dest->points,
												   .vectors = dest->vectors,
												   NEW_MEMBERS};
	return !model->pool.failed;
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

static int character_is_sized(const snw_character_view *character) {
	int sized = SIZED(character) && SIZED(character->skeleton);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		sized = sized && SIZED(character->meshes[m]);
		for (uint32_t f = 0; sized && f < character->meshes[m]->field_count; f++) {
			sized = SIZED(character->meshes[m]->fields[f]);
		}
	}
	return sized;
}

static int input_is_sized(const snw_fit_input *input) {
	int sized = SIZED(input) && character_is_sized(input->character);
	for (uint32_t e = 0; e < input->example_count; e++) {
		sized = sized && SIZED(input->examples[e]) && SIZED(input->examples[e]->pose);
	}
	for (uint32_t g = 0; g < input->group_count; g++) {
		sized = sized && SIZED(input->groups[g]);
		for (uint32_t m = 0; sized && m < input->groups[g]->member_count; m++) {
			sized = SIZED(input->groups[g]->members[m]);
		}
	}
	for (uint32_t t = 0; t < input->target_count; t++) {
		sized = sized && SIZED(input->targets[t]);
		for (uint32_t f = 0; sized && f < input->targets[t]->frame_count; f++) {
			sized = SIZED(input->targets[t]->poses[f]);
		}
	}
	for (uint32_t o = 0; o < input->override_count; o++) {
		sized = sized && SIZED(input->overrides[o]);
	}
	return sized;
}

static double find_reach(const snw_fit_input *input) {
	double reach = 0.1;
	for (uint32_t t = 0; t < input->target_count; t++) {
		for (uint32_t f = 0; f < input->targets[t]->frame_count; f++) {
			const snw_pose_view *pose = input->targets[t]->poses[f];
			for (uint32_t j = 0; j < pose->joint_count; j++) {
				reach = fmax(reach, snw_length3(pose->rotation_vectors + 3 * (size_t)j));
			}
		}
	}
	return reach;
}

/* The group's joint, or the one that its first example rotates most. */
static group find_center(const snw_fit_input *input, const snw_group_view *view) {
	const snw_pose_view *pose = input->examples[view->members[0]->example]->pose;
	group found = {.joint = view->joint_count > 0 ? view->joints[0] : 0};
	for (uint32_t j = 0; view->joint_count == 0 && j < pose->joint_count; j++) {
		if (snw_length3(pose->rotation_vectors + 3 * (size_t)j) >
			snw_length3(pose->rotation_vectors + 3 * (size_t)found.joint)) {
			found.joint = j;
		}
	}
	memcpy(found.center, pose->rotation_vectors + 3 * (size_t)found.joint, sizeof found.center);
	return found;
}

static double strength_of(const snw_fit_input *input, uint32_t index, uint32_t joint) {
	double strength = input->values[STRENGTH].numbers[0];
	for (uint32_t o = 0; o < input->override_count; o++) {
		const snw_override *override = input->overrides[o];
		const uint32_t whose = override->scope == SNW_SCOPE_GROUP ? index : joint;
		strength = override->parameter == STRENGTH && override->index == whose ? override->value.numbers[0] : strength;
	}
	return strength;
}

static const double *find_mask(const snw_mesh_view *view) {
	for (uint32_t f = 0; f < view->field_count; f++) {
		if (strcmp(view->fields[f]->name, "mask") == 0) {
			return view->fields[f]->values;
		}
	}
	return NULL;
}

static int is_edited(const snw_example_view *example, uint32_t point) {
	if (!SNW_HAS(example, edited) || !example->edited) {
		return 1;
	}
	for (uint32_t i = 0; i < example->edited_count; i++) {
		if (example->edited[i] == point) {
			return 1;
		}
	}
	return 0;
}

/* A pose as this plug-in knows it, in front of what a host must not read. */
typedef struct known_pose {
	snw_pose_view view;
	const void *behind[4];
} known_pose;

/* Where the layers below put the mesh at the pose of every example, [example_count][point_count][3]. */
static const double *deform_below(const snw_host *host, const snw_fit_input *input, uint32_t m, snw_pool *pool) {
	const snw_below_service *below = (const snw_below_service *)host->service(host, SNW_SERVICE_BELOW);
	const uint32_t poses = input->example_count, points = input->character->meshes[m]->point_count;
	known_pose *known = SNW_POOL_ARRAY(pool, known_pose, poses);
	const snw_pose_view **views = SNW_POOL_ARRAY(pool, const snw_pose_view *, poses);
	double *rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)points * poses);
	double *posed = SNW_POOL_ARRAY(pool, double, 3 * (size_t)points * poses);
	if (pool->failed || !below || !SIZED(below)) {
		return NULL;
	}
	for (uint32_t p = 0; p < poses; p++) {
		memset(&known[p], 1, sizeof known[p]);
		known[p].view.size = sizeof known[p].view;
		snw_put(&known[p].view, input->examples[p]->pose);
		views[p] = &known[p].view;
		memcpy(rest + 3 * (size_t)points * p, input->character->meshes[m]->points_rest, 3 * sizeof *rest * points);
	}
	const snw_below_call call = {.size = sizeof call,
								 .mesh = m,
								 .pose_count = poses,
								 .poses = views,
								 .count = points,
								 .points_rest = rest,
								 .points_posed = posed,
								 NEW_MEMBERS};
	return below->deform(host, &call) == SNW_OK ? posed : NULL;
}

/* Adds what a member asks of its mesh to `moves`, [point_count][3]. */
static void add_member(const snw_fit_input *input, const snw_member_view *member, double strength, const double *below,
					   double *moves) {
	const snw_example_view *example = input->examples[member->example];
	const snw_mesh_view *view = input->character->meshes[example->mesh];
	const double *painted = find_mask(view), *at = below + 3 * (size_t)view->point_count * member->example;
	for (uint32_t i = 0; i < view->point_count; i++) {
		const double share = strength * (member->mask ? member->mask[i] : 1) * (painted ? 0.5 + painted[i] : 1);
		for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3 && is_edited(example, i); k++) {
			moves[k] += share * (example->points_posed[k] - at[k]);
		}
	}
}

/* Keeps what is not 0 of `moves`, [group_count][point_count][3]. */
static int keep_moves(snw_model *model, mesh *dest, const double *moves) {
	const size_t points = dest->point_count, all = points * model->group_count;
	uint32_t entries = 0;
	for (size_t i = 0; i < all; i++) {
		entries += snw_length3(moves + 3 * i) > 0;
	}
	if (!make_displacements(model, dest, entries)) {
		return 0;
	}
	entries = 0;
	for (size_t i = 0; i < all; i++) {
		if (snw_length3(moves + 3 * i) > 0) {
			dest->points[entries] = (uint32_t)(i % points);
			memcpy(dest->vectors + 3 * (size_t)entries, moves + 3 * i, 3 * sizeof *moves);
			dest->offsets[i / points + 1] = ++entries;
		}
	}
	for (uint32_t g = 0; g < model->group_count; g++) {
		dest->offsets[g + 1] = dest->offsets[g + 1] > dest->offsets[g] ? dest->offsets[g + 1] : dest->offsets[g];
	}
	return 1;
}

static snw_status propose(const snw_host *host, uint32_t m, const mesh *fitted, snw_pool *pool) {
	const snw_proposal_service *proposal = (const snw_proposal_service *)host->service(host, SNW_SERVICE_PROPOSAL);
	double *lengths = SNW_POOL_ARRAY(pool, double, fitted->point_count);
	if (!lengths || !proposal || !SIZED(proposal)) {
		return SNW_ERROR_UNSUPPORTED;
	}
	for (uint32_t i = 0; i < fitted->offsets[fitted->rest.displacements.count]; i++) {
		lengths[fitted->points[i]] += snw_length3(fitted->vectors + 3 * (size_t)i);
	}
	const snw_field_view field = {.size = sizeof field,
								  .name = "moved-by",
								  .domain = SNW_DOMAIN_POINTS,
								  .components = 1,
								  .count = fitted->point_count,
								  .values = lengths,
								  NEW_MEMBERS};
	const snw_field_proposal moved_by = {.size = sizeof moved_by, .owner = m, .field = &field, NEW_MEMBERS};
	return proposal->field(host, &moved_by);
}

static snw_status fit_mesh(const snw_host *host, const snw_fit_input *input, uint32_t m, snw_model *model) {
	snw_pool pool = snw_pool_open(host);
	const size_t points = model->meshes[m].point_count;
	const double *below = deform_below(host, input, m, &pool);
	double *moves = SNW_POOL_ARRAY(&pool, double, 3 * points * model->group_count);
	snw_status status = below && moves ? SNW_OK : SNW_ERROR_UNSUPPORTED;
	for (uint32_t g = 0; status == SNW_OK && g < model->group_count; g++) {
		const snw_group_view *view = input->groups[g];
		const double strength = strength_of(input, g, model->groups[g].joint);
		for (uint32_t i = 0; i < view->member_count; i++) {
			if (input->examples[view->members[i]->example]->mesh == m) {
				add_member(input, view->members[i], strength, below, moves + 3 * points * g);
			}
		}
	}
	if (status == SNW_OK) {
		status = keep_moves(model, &model->meshes[m], moves) ? propose(host, m, &model->meshes[m], &pool) : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&pool);
	return status;
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **dest) {
	const snw_host *host = instance->host;
	const snw_task_service *task = (const snw_task_service *)host->service(host, SNW_SERVICE_TASK);
	if (!SIZED(host) || !task || !SIZED(task) || !SIZED(instance->pool.memory) || !input_is_sized(input)) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_model *model = make_model(host, input->character, input->group_count);
	snw_status status = model ? SNW_OK : SNW_ERROR_MEMORY;
	if (model) {
		model->reach = find_reach(input);
	}
	for (uint32_t g = 0; status == SNW_OK && g < input->group_count; g++) {
		model->groups[g] = find_center(input, input->groups[g]);
	}
	for (uint32_t m = 0; status == SNW_OK && m < model->mesh_count; m++) {
		const int goes_on = task->progress(host, (double)m / model->mesh_count, "moving points");
		status = goes_on ? fit_mesh(host, input, m, model) : SNW_CANCELLED;
	}
	if (status != SNW_OK) {
		release(model);
		return status;
	}
	*dest = model;
	return SNW_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

static void layout(const snw_model *model, snw_model_layout *dest) {
	snw_put(dest, &(snw_model_layout){
					  .size = sizeof(snw_model_layout), .d_count = model->group_count, .scratch_bytes = 8, NEW_MEMBERS});
}

static snw_status drive(const snw_drive_call *call) {
	if (!SIZED(call) || !SIZED(call->pose) || !SIZED(call->output)) {
		return SNW_ERROR_INTERNAL;
	}
	const double falloff = call->values[FALLOFF].numbers[0] / call->model->reach;
	for (uint32_t g = 0; g < call->model->group_count; g++) {
		const group *from = &call->model->groups[g];
		const double *rotation = call->pose->rotation_vectors + 3 * (size_t)from->joint;
		const double x = falloff * sqrt(snw_squared_distance3(rotation, from->center));
		call->output->d[g] = call->values[PROFILE].numbers[0] == 0 ? exp(-x * x) : fmax(0, 1 - x);
	}
	return SNW_OK;
}

static snw_status deform(const snw_deform_call *call) {
	if (!SIZED(call) || !SIZED(call->pose) || !SIZED(call->driven)) {
		return SNW_ERROR_INTERNAL;
	}
	const mesh *from = &call->model->meshes[call->mesh];
	memcpy(call->points_out + 3 * (size_t)call->begin, call->points_in + 3 * (size_t)call->begin,
		   3 * sizeof(double) * (call->end - call->begin));
	for (uint32_t g = 0; g < call->model->group_count; g++) {
		for (uint32_t i = from->offsets[g]; i < from->offsets[g + 1]; i++) {
			for (size_t k = 0; k < 3 && from->points[i] >= call->begin && from->points[i] < call->end; k++) {
				call->points_out[3 * (size_t)from->points[i] + k] += call->driven->d[g] * from->vectors[3 * (size_t)i + k];
			}
		}
	}
	return SNW_OK;
}

static snw_status lower(const snw_lower_call *call) {
	if (!SIZED(call) || !SIZED(call->part)) {
		return SNW_ERROR_INTERNAL;
	}
	if (call->values[RUNS].numbers[0] != 0) {
		*call->reason = "it is set to deform";
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part),
											.rest = &call->model->meshes[call->mesh].rest.displacements,
											NEW_MEMBERS});
	return SNW_OK;
}

/* ---- saving -------------------------------------------------------------------------------------------------------------- */

static snw_status save(const snw_model *model, const snw_sink *sink) {
	if (!SIZED(sink)) {
		return SNW_ERROR_INTERNAL;
	}
	snw_writer writer = {.sink = sink};
	snw_write(&writer, &model->joint_names, sizeof model->joint_names);
	snw_write_f64(&writer, model->reach);
	snw_write_u32(&writer, model->mesh_count);
	snw_write_u32(&writer, model->group_count);
	for (uint32_t g = 0; g < model->group_count; g++) {
		snw_write_u32(&writer, model->groups[g].joint);
		snw_write(&writer, model->groups[g].center, sizeof model->groups[g].center);
	}
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const mesh *from = &model->meshes[m];
		const uint32_t entries = from->offsets[model->group_count];
		snw_write_u32(&writer, from->point_count);
		snw_write_u32(&writer, entries);
		snw_write(&writer, from->offsets, sizeof *from->offsets * (model->group_count + 1));
		snw_write(&writer, from->points, sizeof *from->points * entries);
		snw_write(&writer, from->vectors, sizeof *from->vectors * 3 * entries);
	}
	snw_write_seal(&writer);
	return writer.status;
}

/* The seal vouches for the rest of the bytes. */
static int read_mesh(snw_reader *reader, snw_model *model, mesh *dest) {
	const uint32_t points = snw_read_u32(reader), entries = snw_read_count(reader, 28);
	if (reader->failed || points != dest->point_count || !make_displacements(model, dest, entries)) {
		return 0;
	}
	snw_read(reader, dest->offsets, sizeof *dest->offsets * (model->group_count + 1));
	snw_read(reader, dest->points, sizeof *dest->points * entries);
	snw_read(reader, dest->vectors, sizeof *dest->vectors * 3 * entries);
	return !reader->failed;
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **dest) {
	if (self->size != sizeof *self || !SIZED(call) || !character_is_sized(call->character)) {
		return SNW_ERROR_INTERNAL;
	}
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	uint64_t joint_names;
	snw_read(&reader, &joint_names, sizeof joint_names);
	const double reach = snw_read_f64(&reader);
	const uint32_t mesh_count = snw_read_u32(&reader), group_count = snw_read_count(&reader, 28);
	snw_model *model = make_model(call->host, call->character, group_count);
	if (!model) {
		return SNW_ERROR_MEMORY;
	}
	int good = mesh_count == model->mesh_count && joint_names == model->joint_names;
	model->reach = reach;
	for (uint32_t g = 0; good && g < group_count; g++) {
		model->groups[g].joint = snw_read_u32(&reader);
		snw_read(&reader, model->groups[g].center, sizeof model->groups[g].center);
		good = model->groups[g].joint < call->character->skeleton->joint_count;
	}
	for (uint32_t m = 0; good && m < mesh_count; m++) {
		good = read_mesh(&reader, model, &model->meshes[m]);
	}
	if (!good || reader.failed || reader.count > 0) {
		release(model);
		return SNW_ERROR_DATA;
	}
	*dest = model;
	return SNW_OK;
}

/* ---- the plug-in --------------------------------------------------------------------------------------------------------- */

static void read_too_far(void) {
	__builtin_trap();
}
#define BEHIND                                                                                                                 \
	{ read_too_far, read_too_far, read_too_far, read_too_far }

static snw_status create(const snw_deformer *self, const snw_host *host, snw_instance **instance);

static const struct {
	snw_deformer deformer;
	void (*behind[4])(void);
} offered = {.deformer = {.size = sizeof(snw_deformer),
						  .descriptor = &descriptor,
						  .create = create,
						  .destroy = snw_instance_destroy,
						  .fit = fit,
						  .layout = layout,
						  .drive = drive,
						  .deform = deform,
						  .lower = lower,
						  .save = save,
						  .load = load,
						  .release = release,
						  NEW_MEMBERS},
			 .behind = BEHIND};

/* `self` is the plug-in's deformer, not the host's copy. */
static snw_status create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	return self == &offered.deformer ? snw_instance_create(self, host, instance) : SNW_ERROR_INTERNAL;
}

static const snw_deformer *deformer_at(uint32_t index) {
	return index == 0 ? &offered.deformer : NULL;
}

typedef struct guarded_entry {
	snw_entry entry;
	void (*behind[4])(void);
} guarded_entry;
SNW_EXPORT extern const guarded_entry SNW_ENTRY_SYMBOL;
const guarded_entry SNW_ENTRY_SYMBOL = {.entry = {.size = sizeof(snw_entry),
												  .abi_major = SNW_ABI_MAJOR,
												  .abi_minor = SNW_ABI_MINOR,
												  .deformer_count = 1,
												  .deformer = deformer_at,
												  NEW_MEMBERS},
										.behind = BEHIND};
