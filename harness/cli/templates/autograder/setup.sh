#!/usr/bin/env bash
# Prepares the machine of an autograder: installs languages, a sandbox if possible, and what harness needs.
# Gradescope runs this script once, as root, when it makes the image. The script needs apt-get and a network.
set -euo pipefail
source=${HARNESS_SOURCE:-/autograder/source}
environment=${HARNESS_ENVIRONMENT:-/autograder/harness}
export DEBIAN_FRONTEND=noninteractive

apt-get update -qq
# packages.txt has a package in each line. If bubblewrap cannot make a sandbox, each bot runs as a separate user.
apt-get install -qq -y --no-install-recommends $(grep -v '^#' "$source/packages.txt")

# harness needs Python 3.11 or newer. An older system may have a newer Python beside its usual Python.
fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
python=''
for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if [ -z "$python" ] && fits "/usr/bin/$name"; then python=/usr/bin/$name; fi
done
for name in python3.13 python3.12 python3.11; do
    if [ -z "$python" ] && apt-get install -qq -y --no-install-recommends "$name" "$name-venv"; then
        python=/usr/bin/$name
    fi
done
[ -n "$python" ] || { echo 'setup: there is no Python 3.11 or newer; choose a newer base image' >&2; exit 1; }
"$python" -m venv "$environment"
"$environment/bin/pip" install -q --disable-pip-version-check -r "$source/requirements.txt"
chmod -R go-rwx "$source"
