#!/usr/bin/env bash
# Adds barman-cloud to the Postgres image of push.sh, for archives and restores: barman.sh TOOLS DIR BIN NAME:TAG
# It reads the image from the registry of the running cluster and pushes it under the same name.
set -euo pipefail
tools=$1 dir=$2 bin=$3 name=$4
registry=http://10.123.0.1:5000/v2/${name%:*}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
root=$here/root
mkdir "$root"
within() { "$tools/up.sh" "$dir" "$bin" in "$@"; }

layer=$(within curl -sf "$registry/manifests/${name#*:}" -H 'Accept: application/vnd.docker.distribution.manifest.v2+json' |
  grep -oE 'sha256:[0-9a-f]{64}' | tail -n 1)
within curl -sf "$registry/blobs/$layer" | tar -x --numeric-owner -C "$root"

# What the package needs and the image has not: python with its modules and libraries.
apt-cache depends --recurse --installed --no-{recommends,suggests,conflicts,breaks,replaces,enhances} barman-cli-cloud |
  grep -E '^(barman-cli-cloud|python3|libpython3|libffi|libexpat|libbz2|libsqlite3|zlib|media-types)' | sort -u | xargs dpkg -L | sort -u |
  while read -r file; do if [[ (-f $file || -L $file) && ! -e $root$file ]]; then echo "$file"; fi; done >"$here/files"
tar -c -P -T "$here/files" | tar -x -P -C "$root" --transform 's|^/||'
find "$root/usr/lib/python3" "$root"/usr/lib/python3.* -name '*.so' -print0 | xargs -0 ldd 2>/dev/null |
  grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while read -r library; do
  [[ -e $root$library || $library != /lib/* && $library != /usr/lib/* ]] || { mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; }
done

python3 "$tools/images.py" make "$here/image.tar" "$root" "$name" --entry '["/usr/bin/postgres"]' --user 26 \
  --env PGDATA=/var/lib/postgresql/data --env LANG=C.UTF-8
within python3 "$tools/images.py" push "$here/image.tar" "$name"
