"""What a person may ask for, by verb: the settings that a run folder holds."""

from filon.verbs.quest import Quest
from filon.verbs.settings import Settings
from filon.verbs.trail import Trail
from filon.verbs.wants import Wants

Asked = Settings | Trail | Wants | Quest
#: The settings of each verb that has its own; the others are harvests.
KINDS: dict[str, type[Asked]] = {"enrich": Wants, "follow": Trail, "discover": Quest}
