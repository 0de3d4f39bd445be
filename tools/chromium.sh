#!/bin/sh
# Sees to it that there is a Chromium: the system's own, or Debian's package where we may install it.
for name in chromium chromium-browser google-chrome chrome; do
	command -v "$name" >/dev/null && exit 0
done
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends chromium
	exit
fi
echo "There is no Chromium here, and it cannot be installed by this user: its tests will skip." >&2
