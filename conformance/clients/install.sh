#!/bin/sh
#
# Installs the programs that the profile "clients" runs, from Debian's packages. Needs root. The build itself never calls this.
# What the tests have from npm and Maven Central is not installed: it is fetched into their target folder and Maven's repository.
set -eu

packages="azure-cli openssl rclone restic"
# A node that comes with its own npm does not go together with Debian's.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    packages="$packages nodejs npm"
fi

apt-get update
# shellcheck disable=SC2086
apt-get install -y --no-install-recommends $packages
