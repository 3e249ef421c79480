#!/bin/sh
# Installs the command line of Core.
#
#   CORE_REPO          owner/name to download from
#   CORE_VERSION       tag of the release, such as v1.2.0; the latest one otherwise
#   CORE_INSTALL_DIR   where to put it; $HOME/.local/bin otherwise
set -eu

fail() {
  printf 'Error: %s\n' "$1" >&2
  exit 1
}

git_host=https://github.com
repo=${CORE_REPO:-}
version=${CORE_VERSION:-}
[ -n "$repo" ] || fail 'say where to download from: CORE_REPO=owner/name'

if [ -n "${CORE_INSTALL_DIR:-}" ]; then
  folder=$CORE_INSTALL_DIR
else
  [ -n "${HOME:-}" ] || fail 'say where to install it: CORE_INSTALL_DIR=<folder>'
  folder=$HOME/.local/bin
fi

command -v node >/dev/null 2>&1 || fail 'it needs Node 20.19 or later, and there is no node here'
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
  fail "it needs Node 20.19 or later, and this is $(node --version)"

if command -v curl >/dev/null 2>&1; then
  fetch() { curl --fail --silent --show-error --location --output "$2" "$1"; }
elif command -v wget >/dev/null 2>&1; then
  fetch() { wget -q -O "$2" "$1"; }
else
  fail 'it needs curl or wget'
fi

if command -v sha256sum >/dev/null 2>&1; then
  sum_of() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null 2>&1; then
  sum_of() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
  fail 'it needs sha256sum or shasum'
fi

if [ -n "$version" ]; then
  base=$git_host/$repo/releases/download/$version
else
  base=$git_host/$repo/releases/latest/download
fi

mkdir -p "$folder" || fail "$folder cannot be made"
# In the same folder, so that the old file is replaced at once.
work=$(mktemp -d "$folder/.core-install.XXXXXX") || fail "nothing can be written into $folder"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fetch "$base/core" "$work/core" || fail "$base/core could not be downloaded"
fetch "$base/core.sha256" "$work/core.sha256" || fail "$base/core.sha256 could not be downloaded"
wanted=$(cut -d ' ' -f 1 <"$work/core.sha256")
found=$(sum_of "$work/core")
if [ -z "$wanted" ] || [ "$wanted" != "$found" ]; then
  fail "$base/core is not what it should be: its SHA-256 is $found"
fi

chmod 755 "$work/core"
installed=$("$work/core" --version) || fail 'what was downloaded does not run'
mv -f "$work/core" "$folder/core"
printf 'Installed %s in %s\n' "$installed" "$folder/core"
case ":${PATH:-}:" in
*":$folder:"*) ;;
*) printf 'Add %s to PATH to run it as core.\n' "$folder" ;;
esac
