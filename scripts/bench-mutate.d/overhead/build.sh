#!/bin/sh
# build.sh configure: the compile database. build.sh: the test program.
set -e
mkdir -p out
if [ "$1" = configure ]; then
  printf '[{"directory":"%s","file":"hot.cpp","arguments":["g++","-std=c++20","-O3","-mavx2","-c","hot.cpp"]}]\n' "$PWD" >out/compile_commands.json
  exit 0
fi
if [ ! -f out/test.o ] || [ hot_test.cpp -nt out/test.o ]; then g++ -std=c++20 -O3 -mavx2 -c hot_test.cpp -o out/test.o; fi
g++ -std=c++20 -O3 -mavx2 -c hot.cpp -o out/hot.o
g++ out/hot.o out/test.o -o out/new
mv out/new out/hot_test
