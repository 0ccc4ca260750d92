// SPDX-License-Identifier: GPL-3.0-or-later
//
// T = C z: row r of T_s is sum_k z_kr (C_4s,k, C_4s+1,k, C_4s+2,k, C_4s+3,k), since row 4s + c of C z is column c of T_s.

uniform samplerBuffer combined; // C: a texel for each slot and k
uniform samplerBuffer z;        // a texel for each k
uniform int combined_count;     // of k

vec4 palette_row(int slot, int row) {
	vec4 sum = vec4(0);
	for (int k = 0; k < combined_count; k++) {
		sum += texelFetch(z, k)[row] * texelFetch(combined, slot * combined_count + k);
	}
	return sum;
}
