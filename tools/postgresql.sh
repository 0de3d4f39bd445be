#!/bin/sh
# Sees to it that there is a PostgreSQL server: the system's own, or Debian's package where we may install it.
command -v postgres >/dev/null && exit 0
for program in /usr/lib/postgresql/*/bin/postgres; do
	[ -x "$program" ] && exit 0
done
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	# Tests start a server of their own: Debian's is not to be made and started.
	mkdir -p /etc/postgresql-common/createcluster.d
	echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/filon.conf
	apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends postgresql
	exit
fi
echo "There is no PostgreSQL here, and it cannot be installed by this user: its tests will skip." >&2
