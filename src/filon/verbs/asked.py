"""What a person may ask for, by verb: the settings that a run folder holds."""

from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.enrich.settings import EnrichSettings
from filon.verbs.follow.settings import FollowSettings
from filon.verbs.harvest.settings import HarvestSettings

Asked = HarvestSettings | FollowSettings | EnrichSettings | DiscoverSettings
#: The settings of each verb that has its own; the others are harvests.
KINDS: dict[str, type[Asked]] = {
    "enrich": EnrichSettings,
    "follow": FollowSettings,
    "discover": DiscoverSettings,
}
