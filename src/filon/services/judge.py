"""What is wrong with an answer before its records are looked at: one of core.PROBLEMS."""

from filon.core import Response
from filon.services.paths import Finder, Node, Reader, UnreadableError
from filon.services.shape import Description, Problem

#: Too long, not understood, not acceptable: another query may do.
_QUERY_STATUSES = frozenset({400, 413, 414, 422, 431})


class Judge:
    """Tells failures of the network, the service, the key, the quota and the query apart."""

    def __init__(self, description: Description, reader: Reader) -> None:
        self._reader = reader
        self._message = Finder(reader, description.answer.message)
        self._rules = [(rule, Finder(reader, rule.path)) for rule in description.problems]
        self._key = description.key
        self._remaining = description.limits.remaining.lower()

    def __call__(self, response: Response) -> tuple[str, str]:
        """Return the problem and a sentence about it; "empty" for an answer of no records."""
        if response.error or not response.status:
            return "down", response.detail or f"There is no answer ({response.error or 'none'})."
        if response.cut or response.spool:
            return "down", "The answer is too long and was not taken whole."
        for rule, finder in self._rules:
            if self._holds(rule, finder, response):
                return rule.means, rule.about or self._sentence(response)
        problem = self._by_status(response)
        if problem == "key":
            return problem, self._about_key(response)
        return problem, self._sentence(response) if problem else ""

    def _about_key(self, response: Response) -> str:
        """Say what is known of the key: a service may refuse those who have sent none."""
        sentence = self._sentence(response)
        if self._key.how == "none":
            return f"None was sent, as its description names none. {sentence}"
        if not self._key.required:
            return f"{sentence.rstrip('.')} (a key may be set in {self._key.secret})."
        return sentence

    def _by_status(self, response: Response) -> str:
        status = response.status
        if status == 429:
            return "quota"
        if status in (401, 403):
            return "quota" if self._is_spent(response) else "key"
        if status in _QUERY_STATUSES:
            return "query"
        if status >= 500:
            return "down"
        return "" if response.ok else "schema"

    def _is_spent(self, response: Response) -> bool:
        """A refusal that will be over: GitHub and others say 403 where they mean 429."""
        left = response.header(self._remaining) if self._remaining else ""
        return left.strip() == "0" or bool(response.header("retry-after"))

    def _holds(self, rule: Problem, finder: Finder, response: Response) -> bool:
        if rule.status and rule.status != response.status:
            return False
        if not finder:
            return True
        tree = self._open(response)
        if tree is None or not finder.nodes(tree):
            return False
        return not rule.says or finder.text(tree) in rule.says

    def _open(self, response: Response) -> Node:
        """Read an answer; None where it cannot be read."""
        try:
            return self._reader.open(response.body, response.header("content-type"))
        except UnreadableError:
            return None

    def _sentence(self, response: Response) -> str:
        if response.detail:  # why it was not asked
            return f"{response.detail}."
        message = ""
        if response.redirects:
            message = f"it has moved to {response.header('location')}"
        elif self._message:
            tree = self._open(response)
            message = self._message.text(tree)[:300] if tree is not None else ""
        if message and response.ok:  # that it answers 200 tells nobody what is wrong
            return f"The service says: {message}"
        return f"The service answers {response.status}" + (f": {message}" if message else ".")
