#!/bin/sh
# Puts the header, the static and the shared library, the file of pkg-config and the package of CMake below a folder, which
# can be moved later; DESTDIR comes before it, as make install has it:
#
#     cargo build --release -p lengthwise-c
#     install.sh PREFIX [FOLDER OF THE LIBRARIES]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${DESTDIR:-}${1:?where to}
library=${2:-$here/../../target/release}
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/lengthwise"
cp "$here/include/lengthwise.h" "$prefix/include/"
cp "$library/liblengthwise_c.a" "$prefix/lib/liblengthwise.a"
if test -e "$library/liblengthwise_c.so"; then
    cp "$library/liblengthwise_c.so" "$prefix/lib/liblengthwise.so"
fi
sed "s|@VERSION@|$version|" "$here/packaging/lengthwise.pc.in" >"$prefix/lib/pkgconfig/lengthwise.pc"
cp "$here/packaging/cmake/lengthwiseConfig.cmake" "$prefix/lib/cmake/lengthwise/"
sed "s|@VERSION@|$version|" "$here/packaging/cmake/lengthwiseConfigVersion.cmake.in" \
    >"$prefix/lib/cmake/lengthwise/lengthwiseConfigVersion.cmake"
