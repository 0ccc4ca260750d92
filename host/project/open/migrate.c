/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step converts a file of one version to the next. Tables are created again with the SQL of the schema instead of altered, so
 * that a migrated file equals one created with this version.
 */
#include "project/open/migrate.h"

#include "project/database/schema.h"
#include "project/journal/frames_hashes.h"

/* The current SQL of a table. */
static const char *sql_of(const char *table) {
	const char *sql = NULL;
	for (size_t i = 0; i < snw_table_count; i++) {
		sql = sqlite3_stricmp(snw_tables[i].name, table) == 0 ? snw_tables[i].sql : sql;
	}
	return sql;
}

/* Creates a table with the current SQL and copies columns of the old one into it; other columns get their defaults. */
static snw_status copy_table(snw_project *project, const char *table, const char *columns, const char *old_columns,
							 snw_error *error) {
	char *text = sqlite3_mprintf("ALTER TABLE %s RENAME TO migrated_%s;\n%s;\n"
								 "INSERT INTO %s (%s) SELECT %s FROM migrated_%s;\nDROP TABLE migrated_%s",
								 table, table, sql_of(table), table, columns, old_columns, table, table);
	if (!text) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	const snw_status status = snw_database_execute(project, text, error);
	sqlite3_free(text);
	return status;
}

/* The same for a table whose columns kept their names. */
static snw_status rebuild_table(snw_project *project, const char *table, const char *columns, snw_error *error) {
	return copy_table(project, table, columns, columns, error);
}

/* Version 0 had no muted layers. */
static snw_status migrate_0_to_1(snw_project *project, snw_error *error) {
	return rebuild_table(project, "layer", "id, position, name, deformer, deformer_version, model", error);
}

/* Version 1 stored all points of a sculpt, and no hashes of what a fit had read. */
static snw_status migrate_1_to_2(snw_project *project, snw_error *error) {
	const snw_status status = rebuild_table(project, "example", "id, name, pose, mesh, points_posed", error);
	return snw_failed(status) ? status : rebuild_table(project, "model", "id, name, deformer, deformer_version, bytes", error);
}

/* A sequence plays as the clip of its name; files of versions 0 to 2 can lack that clip. */
static snw_status add_clips_of_sequences(snw_project *project, snw_error *error) {
	return snw_database_execute(
		project,
		"INSERT INTO clip (name, duration_seconds) SELECT name, (SELECT max(0.0, max(seconds)) FROM "
		"target_frame WHERE target = sequence.id) FROM target AS sequence WHERE clip IS NULL "
		"AND name NOT IN (SELECT name FROM clip) AND id IN (SELECT target FROM target_frame) ORDER BY id",
		error);
}

/* Version 2 had no muted examples, its groups acted in the order of their ids, and a sequence could be without a clip. */
static snw_status migrate_2_to_3(snw_project *project, snw_error *error) {
	snw_status status = rebuild_table(project, "example", "id, name, pose, mesh, points_posed, edited", error);
	status = snw_failed(status) ? status : rebuild_table(project, "corrective_group", "id, name", error);
	status = snw_failed(status) ? status : add_clips_of_sequences(project, error);
	return snw_failed(status)
			   ? status
			   : snw_database_execute(project,
									  "UPDATE corrective_group SET position = (SELECT count(*) FROM corrective_group AS other "
									  "WHERE other.id < corrective_group.id)",
									  error);
}

/* Version 3 had no emissive pictures. */
static snw_status migrate_3_to_4(snw_project *project, snw_error *error) {
	return rebuild_table(project, "material",
						 "id, name, base_color, metallic, roughness, emissive, base_color_image, metallic_roughness_image, "
						 "normal_image, double_sided, alpha, alpha_cutoff",
						 error);
}

/* Version 4 had no units of fields. */
static snw_status migrate_4_to_5(snw_project *project, snw_error *error) {
	return rebuild_table(project, "field", "id, name, domain, mesh, components, element_count, elements", error);
}

/* Version 5 always fitted to all targets. */
static snw_status migrate_5_to_6(snw_project *project, snw_error *error) {
	return rebuild_table(project, "layer", "id, position, name, deformer, deformer_version, model, muted", error);
}

/* Version 6 had settings of one number only. */
static snw_status migrate_6_to_7(snw_project *project, snw_error *error) {
	return rebuild_table(project, "layer_setting", "layer, position, key, value", error);
}

/* Version 7 had another name for rotation vectors. */
static snw_status migrate_7_to_8(snw_project *project, snw_error *error) {
	return copy_table(project, "pose", "id, name, clip, seconds, joint_locals, joint_rotation_vectors, channels",
					  "id, name, clip, seconds, joint_locals, joint_turns, channels", error);
}

/* Version 8 had no tangents. */
static snw_status migrate_8_to_9(snw_project *project, snw_error *error) {
	return rebuild_table(
		project, "mesh",
		"id, name, point_count, face_count, points_rest, face_offsets, face_points, face_materials, corner_uvs, "
		"corner_normals, corner_colors, influence_offsets, influence_slots, influence_weights",
		error);
}

/* Version 9 had no hashes of frames. */
static snw_status migrate_9_to_10(snw_project *project, snw_error *error) {
	int64_t target = 0;
	snw_status status = rebuild_table(project, "target", "id, name, mesh, clip", error);
	while (!snw_failed(status)) {
		status = snw_database_integer(project, "SELECT min(id) FROM target WHERE id > ?1", SNW_CELLS(snw_integer(target)), 0,
									  &target, error);
		if (snw_failed(status) || target == 0) {
			return status;
		}
		status = snw_frames_hash_store(project, target, error);
	}
	return status;
}

/* Version 10 took all sequences to be in order. */
static snw_status migrate_10_to_11(snw_project *project, snw_error *error) {
	return rebuild_table(project, "target", "id, name, mesh, clip, frames_hash", error);
}

/* Version 11 had no sculpt layers. */
static snw_status migrate_11_to_12(snw_project *project, snw_error *error) {
	return snw_database_execute(project, sql_of("sculpt_layer"), error);
}

/* Version 12 did not tell a driver that the user had chosen from one that the program had. */
static snw_status migrate_12_to_13(snw_project *project, snw_error *error) {
	return rebuild_table(project, "example", "id, name, pose, mesh, points_posed, edited, muted", error);
}

static snw_status (*const steps[SNW_SCHEMA_VERSION])(snw_project *project, snw_error *error) = {
	migrate_0_to_1, migrate_1_to_2, migrate_2_to_3,  migrate_3_to_4,   migrate_4_to_5,   migrate_5_to_6,  migrate_6_to_7,
	migrate_7_to_8, migrate_8_to_9, migrate_9_to_10, migrate_10_to_11, migrate_11_to_12, migrate_12_to_13};

static snw_status run_steps(snw_project *project, int64_t version, snw_error *error) {
	snw_status status = SNW_OK;
	for (int64_t v = version; !snw_failed(status) && v < SNW_SCHEMA_VERSION; v++) {
		status = steps[v](project, error);
	}
	return snw_failed(status) ? status
							  : snw_database_run(project, "UPDATE project SET schema_version = ?1",
												 SNW_CELLS(snw_integer(SNW_SCHEMA_VERSION)), error);
}

snw_status snw_migrate(snw_project *project, int64_t version, snw_error *error) {
	/* With these settings, references to a rebuilt table keep its name. They work only outside a transaction. */
	snw_status status =
		snw_database_execute(project, "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; BEGIN IMMEDIATE", error);
	status = snw_failed(status) ? status : run_steps(project, version, error);
	status = snw_failed(status) ? status : snw_schema_verify(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "COMMIT", error);
	if (!sqlite3_get_autocommit(project->database)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
	}
	sqlite3_exec(project->database, "PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON", NULL, NULL, NULL);
	return status;
}
