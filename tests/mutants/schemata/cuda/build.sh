#!/bin/sh
# build.sh configure: the compile database. build.sh: out/prog, by $NVCC. Each source is compiled by itself, and only where it changed.
set -e
nvcc=${NVCC:-nvcc}
flags='-std=c++17 -O2 -gencode=arch=compute_90a,code=sm_90a -Isrc'
mkdir -p out/objects
if [ "$1" = configure ]; then
  printf '[' >out/compile_commands.json
  for source in tiles foreign main; do
    printf '%s{"directory":"%s","file":"src/%s.cu","command":"%s %s -c src/%s.cu -o out/objects/%s.o"}' "$comma" "$PWD" $source "$nvcc" \
      "$flags" $source $source >>out/compile_commands.json
    comma=,
  done
  printf ']' >>out/compile_commands.json
  exit 0
fi
status=0
for source in src/tiles.cu src/foreign.cu src/main.cu src/evidence.cpp; do
  object=out/objects/$(basename "${source%.*}").o
  newer=$(find src -newer "$object" -type f 2>/dev/null || echo all)
  [ -z "$newer" ] || "$nvcc" $flags -c "$source" -o "$object" || { rm -f "$object"; status=1; }
done
[ $status -eq 0 ] || exit $status
"$nvcc" $flags -cudart static -o out/prog.new out/objects/*.o
mv out/prog.new out/prog
