#!/bin/sh
# build.sh configure: the compile database. build.sh: the test program.
set -e
mkdir -p out
if [ "$1" = configure ]; then
  printf '[{"directory":"%s","file":"algorithms.cpp","arguments":["g++","-std=c++20","-O2","-c","algorithms.cpp"]}]\n' "$PWD" >out/compile_commands.json
  exit 0
fi
if [ ! -f out/test.o ] || [ algorithms_test.cpp -nt out/test.o ]; then g++ -std=c++20 -O2 -c algorithms_test.cpp -o out/test.o; fi
g++ -std=c++20 -O2 -c algorithms.cpp -o out/algorithms.o
g++ out/algorithms.o out/test.o -o out/new
mv out/new out/algorithms_test
