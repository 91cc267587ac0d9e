// Launchers. Pointers are of the device.
#pragma once

void launch_tile_sums(const int* in, int* out, int n);
void launch_rotate(const int* in, int* out, int n);
void launch_drain(unsigned* left, int n);
void launch_foreign(int* out, int n);
