// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays a skin file in C#, as player.c does:  play FILE.snwskin JOINT... < poses > answers
// A pose has nine doubles for each joint: a rotation vector, a translation, a scale. An answer has the coefficients that are driven
// and twelve numbers for each helper joint.
//
//   play fuzz FILE.snwskin SEED ROUNDS
// damages the file that often; whatever is still opened is played, and what is not finite is counted.

using System;
using System.IO;

static class Play {
	// Damages numbers of the drives and joints, so that many files are opened; every fourth time any byte.
	static void Damage(byte[] bytes, Random random, int round) {
		double[] odd = { 0, -1, 1e-300, 1e30, 1e155, 1e308, double.NaN };
		for (int n = 0; n < 1 + round % 3; n++) {
			int place = random.Next(bytes.Length - 8);
			if (round % 4 == 0) {
				bytes[place] = (byte)random.Next(256);
			} else {
				BitConverter.GetBytes(odd[random.Next(odd.Length)]).CopyTo(bytes, place & ~7);
			}
		}
	}

	static bool IsFinite(double x) {
		return !double.IsNaN(x) && !double.IsInfinity(x);
	}

	static int Fuzz(byte[] whole, int seed, int rounds) {
		var random = new Random(seed);
		int opened = 0, infinite = 0;
		for (int round = 0; round < rounds; round++) {
			var bytes = (byte[])whole.Clone();
			Damage(bytes, random, round);
			try {
				var drive = new SinewDrive(bytes);
				opened++;
				for (int pose = 0; pose < 3; pose++) {
					for (int j = 0; j < drive.Joints.Length; j++) {
						double size = pose == 0 ? 1 : pose == 1 ? 1e160 : 1e-200;
						drive.SetVector(j, new double[] { random.NextDouble(), pose, 0.3 }, new double[] { size, 0, 1, size, 1, -size });
					}
					drive.Evaluate();
					infinite += Array.FindAll(drive.Weights, x => !IsFinite(x)).Length;
					infinite += Array.FindAll(drive.HelperMatrices, m => !Array.TrueForAll(m, IsFinite)).Length;
				}
			} catch (SinewException) {
			}
		}
		Console.WriteLine("{0} of {1} opened, {2} infinite", opened, rounds, infinite);
		return 0;
	}

	static int Main(string[] words) {
		if (words[0] == "fuzz") {
			return Fuzz(File.ReadAllBytes(words[1]), int.Parse(words[2]), int.Parse(words[3]));
		}
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
