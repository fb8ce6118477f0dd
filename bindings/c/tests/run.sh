#!/bin/sh
# What needs only gcc: the header and the library in C99, C11 and C++17, the examples, and where they are installed
# pkg-config, CMake and cbindgen. LIBRARY is the folder of liblengthwise_c.a.
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
        name=$(basename "$example" .c)
        $compiler -std=$standard $warnings ${CFLAGS:-} -x $language -Iinclude "$example" -x none $link -o "$work/$name"
    done
    echo "$standard: good"
done
if test -e examples/node.c; then
    "$work/node" tsf | "$work/gateway" tsf
    "$work/node" pon | "$work/gateway" pon
fi

if command -v ${CBINDGEN:-cbindgen} >/dev/null 2>&1; then
    ${CBINDGEN:-cbindgen} -q --config cbindgen.toml --output "$work/lengthwise.h" . 
    diff -u include/lengthwise.h "$work/lengthwise.h" || { echo 'the header is out of step: make header' >&2; exit 1; }
    echo 'header: as cbindgen makes it'
else
    echo 'header: not compared, there is no cbindgen'
fi
