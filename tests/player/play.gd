# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plays a skin file in Godot 3, as player.c does:  godot3-server -s play.gd FOLDER of sinew_drive.gd, poses, skin and answers
# FOLDER/joints has the names of the joints, a line each. A pose has nine doubles for each joint: a rotation vector, a translation, a
# scale. An answer has the coefficients that are driven and twelve numbers for each helper joint.
extends SceneTree

func whole(path):
	var file = File.new()
	file.open(path, File.READ)
	var bytes = file.get_buffer(file.get_len())
	file.close()
	return bytes

func _init():
	var folder = OS.get_cmdline_args()[-1]
	var drive = load(folder + "/sinew_drive.gd").new()
	var answers = File.new()
	answers.open(folder + "/answers", File.WRITE)
	if drive.open(whole(folder + "/skin")):
		play(drive, whole(folder + "/joints").get_string_from_utf8().split("\n"), folder, answers)
	else:
		print("refused: " + drive.problem)
	answers.close()
	quit()

func play(drive, names, folder, answers):
	var poses = File.new()
	poses.open(folder + "/poses", File.READ)
	var count = int(poses.get_len() / (72 * names.size()))
	for _p in range(count):
		for name in names:
			var numbers = []
			for _i in range(9):
				numbers.append(poses.get_double())
			drive.set_vector(drive.joints.find(name), [numbers[0], numbers[1], numbers[2]],
				[numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8]])
		drive.evaluate()
		for k in range(drive.weights.size()):
			if drive.is_driven[k]:
				answers.store_double(drive.weights[k])
		for matrix in drive.helper_matrices:
			for x in matrix:
				answers.store_double(x)
	poses.close()
