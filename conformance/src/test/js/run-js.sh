#!/bin/sh
#
# Runs the suite of the official JavaScript SDK: run-js.sh FOLDER SERVER [OPTION...], where FOLDER is a scratch folder for
# the copied sources and their packages, so that nothing is written among the sources, and SERVER is the server's jar or
# launcher. It keeps its data in memory unless options say where.
# Without a fit node there is nothing to run: on somebody's machine that is fine, in CI it would hide a gap.
set -eu

work=$1
server=$2
shift 2
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

skip() {
    echo "$1: the JavaScript SDK suite is skipped"
    if [ "${CI:-}" = true ]; then
        echo "In CI the suite must run; install node 20 or newer with npm." >&2
        exit 1
    fi
    exit 0
}

command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] || skip "node is older than 20"

[ -f "$server" ] || { echo "There is no $server to test; build the cli module first." >&2; exit 1; }
server=$(CDPATH='' cd -- "$(dirname -- "$server")" && pwd -P)/$(basename -- "$server")

mkdir -p "$work"
# Tests that were removed from the sources must not live on in the copy.
rm -rf "$work/suite"
cp -R "$source/." "$work/"
cd "$work"

# Fetching the packages takes longer than the tests; they are the same as long as the lock file is.
if ! cmp -s package-lock.json node_modules/.installed-lock; then
    npm ci --ignore-scripts --no-progress
    cp package-lock.json node_modules/.installed-lock
fi

exec node run.mjs "$server" "$@"
