#!/bin/sh
# What needs only gcc: the header and the library in C99, C11 and C++17, the examples, and where they are installed
# pkg-config and CMake. LIBRARY is the folder of liblengthwise_c.a.
set -eu
cd "$(dirname "$0")/.."
library=${LIBRARY:?the folder of liblengthwise_c.a}
work=${WORK:-$library/c-tests}
mkdir -p "$work"
warnings='-Wall -Wextra -Werror -pedantic'
link="$library/liblengthwise_c.a -lpthread -ldl -lm ${LINK:-}"

for standard in c99 c11 c++17; do
    case $standard in c++*) compiler=${CXX:-g++} language=c++ ;; *) compiler=${CC:-gcc} language=c ;; esac
    $compiler -std=$standard $warnings ${CFLAGS:-} -x $language -Iinclude tests/test.c -x none $link -o "$work/test-$standard"
    ${RUNNER:-} "$work/test-$standard" >/dev/null
    for example in examples/*.c; do
        object=$work/$(basename "$example" .c)
        $compiler -std=$standard $warnings ${CFLAGS:-} -x $language -Iinclude -c "$example" -o "$object.o"
    done
    for case in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
        accepted=yes
        $compiler -std=$standard -x $language -Iinclude -DCASE=$case -c tests/refused.c -o "$work/refused.o" 2>"$work/refused.log" || accepted=
        if test $case = 0 -a -z "$accepted" -o $case != 0 -a -n "$accepted"; then
            echo "tests/refused.c: case $case" >&2
            exit 1
        fi
    done
    echo "$standard: good"
done
for example in examples/*.c; do
    name=$(basename "$example" .c)
    ${CXX:-g++} ${CFLAGS:-} "$work/$name.o" $link -o "$work/$name"
done
# The full library, if this is it.
if nm "$library/liblengthwise_c.a" 2>/dev/null | grep -q 'T lengthwise_convert$'; then
    for standard in c99 c++17; do
        case $standard in c++*) compiler=${CXX:-g++} language=c++ ;; *) compiler=${CC:-gcc} language=c ;; esac
        $compiler -std=$standard $warnings ${CFLAGS:-} -x $language -Iinclude tests/full.c -x none $link -o "$work/full"
        ${RUNNER:-} "$work/full" >/dev/null
    done
    echo 'full library: good'
fi
if test -e examples/node.c; then
    "$work/node" tsf | "$work/gateway" tsf
    "$work/node" pon | "$work/gateway" pon
fi

# As it is installed, below a folder with a space in its name.
rm -rf "$work/pre fix"
DESTDIR="$work/pre " ./install.sh fix "$library"
if command -v pkg-config >/dev/null 2>&1; then
    flags=$(PKG_CONFIG_PATH="$work/pre fix/lib/pkgconfig" pkg-config --static --cflags --libs lengthwise)
    eval "${CC:-gcc} -std=c99 ${CFLAGS:-} tests/test.c -o '$work/test-pkg-config' $flags ${LINK:-}"
    LD_LIBRARY_PATH="$work/pre fix/lib" ${RUNNER:-} "$work/test-pkg-config" >/dev/null
    echo 'pkg-config: good'
else
    ../../tests/skipped.sh 'C by pkg-config' 'there is no pkg-config'
fi
if command -v cmake >/dev/null 2>&1; then
    mkdir -p "$work/cmake"
    cat >"$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.10)
project(test C)
find_package(lengthwise 0.1 REQUIRED)
add_executable(shared $PWD/tests/test.c)
target_link_libraries(shared lengthwise::lengthwise pthread)
add_executable(static $PWD/tests/test.c)
target_link_libraries(static lengthwise::static)
EOF
    cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$work/pre fix" \
        -DCMAKE_C_FLAGS="${CFLAGS:-} ${LINK:-}" >/dev/null
    cmake --build "$work/cmake/build" >/dev/null
    ${RUNNER:-} "$work/cmake/build/shared" >/dev/null
    ${RUNNER:-} "$work/cmake/build/static" >/dev/null
    echo 'CMake: good'
else
    ../../tests/skipped.sh 'C by CMake' 'there is no cmake'
fi
