#!/bin/sh
# The package for Debian: debian.sh BINARY ARCHITECTURE COMMAND DIRECTORY. BINARY is of ARCHITECTURE, stripped, and linked
# statically, since the package depends on no other; COMMAND is the same for this machine.
set -eu
binary=$1 architecture=$2 command=$3 directory=$4
cd "$(dirname "$0")/.."
if ! command -v dpkg-deb >/dev/null; then
    tests/skipped.sh 'the package for Debian' 'there is no dpkg-deb'
    exit
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
root=target/debian
rm -rf "$root"
share=$root/usr/share
bash=$share/bash-completion/completions zsh=$share/zsh/vendor-completions fish=$share/fish/vendor_completions.d
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$share/doc/lengthwise" "$bash" "$zsh" "$fish"
install -m 755 "$binary" "$root/usr/bin/lengthwise"
"$command" manual "$share/man/man1"
"$command" completions bash >"$bash/lengthwise"
"$command" completions zsh >"$zsh/_lengthwise"
"$command" completions fish >"$fish/lengthwise.fish"
gzip -9n "$share"/man/man1/*.1
gzip -9nc CHANGELOG.md >"$share/doc/lengthwise/changelog.gz"
{
    echo 'License: MIT or Apache-2.0'
    echo
    cat LICENSE-MIT
    echo
    echo 'The Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.'
} >"$share/doc/lengthwise/copyright"
cat >"$root/DEBIAN/control" <<END
Package: lengthwise
Version: $version
Architecture: $architecture
Maintainer: $(sed -n 's/^authors = \["\(.*\)"\]/\1/p' Cargo.toml)
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Section: utils
Priority: optional
Description: converts messages into forms that are read without parsing
 lengthwise converts, inspects, checks, queries and compares messages in XML,
 JSON, TSF, PON, ASN.1 (PER, BER, DER, OER, XER), the XML Infoset and TDXML,
 by schemas in ASN.1, XSD and WSDL.
END
find "$root/usr" -type f ! -path '*/bin/*' -exec chmod 644 {} +
mkdir -p "$directory"
dpkg-deb --root-owner-group --build "$root" "$directory/lengthwise_${version}_$architecture.deb" >/dev/null
