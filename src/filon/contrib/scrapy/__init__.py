"""`SCHEDULER = "filon.contrib.scrapy.Scheduler"`: `vein` orders the requests of a spider.

See docs/scrapy.md.
"""

from filon.contrib.scrapy.scheduler import Scheduler

__all__ = ["Scheduler"]
