// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays a skin file in C#, as player.c does:  play FILE.snwskin JOINT... < poses > answers
// A pose has nine doubles for each joint: a rotation vector, a translation, a scale. An answer has the coefficients that are driven
// and twelve numbers for each helper joint.

using System;
using System.IO;

static class Play {
	static int Main(string[] words) {
		try {
			var drive = new SinewDrive(File.ReadAllBytes(words[0]));
			int[] joints = Array.ConvertAll(new ArraySegment<string>(words, 1, words.Length - 1).ToArray(), drive.Find);
			using (var poses = new BinaryReader(Console.OpenStandardInput()))
			using (var answers = new BinaryWriter(Console.OpenStandardOutput())) {
				while (ReadPose(poses, drive, joints)) {
					drive.Evaluate();
					for (int k = 0; k < drive.Weights.Length; k++) {
						if (drive.IsDriven[k]) {
							answers.Write(drive.Weights[k]);
						}
					}
					foreach (double[] matrix in drive.HelperMatrices) {
						Array.ForEach(matrix, answers.Write);
					}
				}
			}
			return 0;
		} catch (SinewException error) {
			Console.Error.WriteLine(words[0] + ": " + error.Message);
			return 1;
		}
	}

	static T[] ToArray<T>(this ArraySegment<T> part) {
		var result = new T[part.Count];
		Array.Copy(part.Array, part.Offset, result, 0, part.Count);
		return result;
	}

	static bool ReadPose(BinaryReader poses, SinewDrive drive, int[] joints) {
		foreach (int joint in joints) {
			byte[] bytes = poses.ReadBytes(72);
			if (bytes.Length < 72) {
				return false;
			}
			double[] vector = new double[3], place = new double[6];
			Buffer.BlockCopy(bytes, 0, vector, 0, 24);
			Buffer.BlockCopy(bytes, 24, place, 0, 48);
			drive.SetVector(joint, vector, place);
		}
		return true;
	}
}
