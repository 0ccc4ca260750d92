# SPDX-License-Identifier: MIT
#
# Plays the correctives and helper joints of a character in Godot 4.3 or later, under any pose: below its Skeleton3D, behind
# whatever poses it. `skin` is the skin file of the same project (`sinew export -o hero.snwskin`). If something does not fit, the
# character plays its linear blend, and one warning says why.
class_name SinewPlayer
extends SkeletonModifier3D

const Drive = preload("sinew_drive.gd")

@export_file("*.snwskin") var skin := ""

var drive: RefCounted
var bones := PackedInt32Array()   # of the drive's joints
var shapes := []                  # mesh instance, index of its shape, coefficient
var has_warned := false

func complain(why: String) -> void:
	if not has_warned:
		push_warning("Sinew: " + str(get_parent().name) + " plays its linear blend alone: " + why)
	has_warned = true

func _ready() -> void:
	drive = Drive.new()
	var bytes := FileAccess.get_file_as_bytes(skin)
	if not drive.open(bytes):
		complain(drive.problem)
	find_shapes()
	for joint in drive.joints:
		bones.append(get_skeleton().find_bone(joint))
		if bones[-1] < 0:
			complain("the skeleton has no joint '" + joint + "'")
	if has_warned:
		for shape in shapes:
			shape[0].set_blend_shape_value(shape[1], 0.0)

func find_shapes() -> void:
	for instance in get_skeleton().find_children("*", "MeshInstance3D", true, false):
		for k in range(drive.coefficients.size()):
			var owner_name: String = drive.meshes[drive.coefficient_meshes[k]]
			var index: int = instance.find_blend_shape_by_name(drive.coefficients[k])
			if drive.is_driven[k] and index >= 0 and (drive.meshes.size() == 1 or instance.name == owner_name):
				shapes.append([instance, index, k])

func _process_modification() -> void:
	if has_warned and (drive.problem != "" or bones.has(-1)):
		return
	var skeleton := get_skeleton()
	for j in range(bones.size()):
		var p := skeleton.get_bone_pose_position(bones[j])
		var q := skeleton.get_bone_pose_rotation(bones[j])
		var s := skeleton.get_bone_pose_scale(bones[j])
		drive.set_local(j, [q.x, q.y, q.z, q.w], [p.x, p.y, p.z, s.x, s.y, s.z])
	if not drive.evaluate():
		complain("its pose is not finite")
	for shape in shapes:
		shape[0].set_blend_shape_value(shape[1], drive.weights[shape[2]])
	for h in range(drive.helpers.size()):
		var m: Array = drive.helper_matrices[h]
		var found: Array = Drive.parts(m)
		var bone := bones[drive.helpers[h]]
		skeleton.set_bone_pose_position(bone, Vector3(m[3], m[7], m[11]))
		skeleton.set_bone_pose_rotation(bone, Quaternion(found[0][0], found[0][1], found[0][2], found[0][3]))
		skeleton.set_bone_pose_scale(bone, Vector3(found[1][0], found[1][1], found[1][2]))
