"""The places of a triple: what may be said of a URI by where it stands."""

from typing import Literal, get_args

#: Those whose URIs may be followed.
Role = Literal["subject", "object", "predicate", "type"]
ROLES: tuple[Role, ...] = get_args(Role)
