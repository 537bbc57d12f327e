#!/bin/sh
#
# Installs the programs that the profile "clients" runs, from Debian's packages. Needs root. The build itself never calls this.
set -eu

apt-get update
apt-get install -y --no-install-recommends azure-cli nodejs npm openssl rclone restic
