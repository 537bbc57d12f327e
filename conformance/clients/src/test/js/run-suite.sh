#!/bin/sh
#
# Runs one suite: run-suite.sh FOLDER SUITE, where FOLDER is a scratch folder for the copied sources and their packages, so
# that nothing is written among the sources, and SUITE is the name of a test file. TRESTLE_BLOB_ENDPOINT, TRESTLE_ACCOUNT, TRESTLE_KEY
# and TRESTLE_CONTAINER say what to run it against.
set -eu

work=$1
suite=$2
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

missing() {
    echo "$1. Install the Debian package $2, in version 18 or newer, or run conformance/clients/install.sh," \
        "which installs all programs of this profile." >&2
    exit 1
}

command -v node >/dev/null || missing "node is not installed" nodejs
command -v npm >/dev/null || missing "npm is not installed" npm
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 18')" = true ] || missing "node is older than 18" nodejs

mkdir -p "$work"
cp -R "$source/." "$work/"
cd "$work"

# Fetching the packages takes longer than the tests; they are the same as long as package.json is. No lock file: it would list the
# native packages of all platforms, and npm ci needs every one of them, while npm install takes that of this machine.
if ! cmp -s package.json node_modules/.installed-package; then
    rm -rf node_modules
    npm install --no-package-lock --ignore-scripts --no-progress
    cp package.json node_modules/.installed-package
fi

exec node --test --test-reporter=spec "$suite"
