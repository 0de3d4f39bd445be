"""What moves on a page though it says nothing new: clocks, counters, adverts, session ids.

Told by what the page calls it, in words or by the name of an element, in seven languages. Where
that is not enough, see `Steady` in page/steady.py. A doubt is settled for the page: figures in
cells, and all that stands beside a link to a file, are taken for what they are.
"""

import re
from functools import lru_cache

from filon.page.datafile import is_data_file
from filon.page.url import extension, key

#: Of the text of an element that is called a clock, and of one that is called an advert: what is
#: longer is a part of the page, whatever its name is.
MAX_CLOCK, MAX_ADVERT = 80, 400
#: Of a text that may be nothing but a counter or a moment, and of one that may tell when the page
#: was made: in a longer one "modified on 3 May" is a sentence of it.
MAX_SHORT, MAX_LINE = 80, 300

_MONTHS = (
    r"(?:jan|feb|fev|fév|mar|mär|maa|apr|avr|abr|may|mai|mag|maj|mei|jun|jui|giu|jul|lug|aug|aoû|aou"
    r"|ago|sep|set|okt|oct|out|ott|nov|dec|dez|déc|dic|ene|gen)[a-zéûçä]*\.?"
)
_DAYS = (
    r"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?|wed|sat"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica"
    r"|(?:segunda|terça|quarta|quinta|sexta)-feira"
    r"|(?:maan|dins|woens|donder|vrij|zater|zon)dag)\b\.?"
)
_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+|of\s+)?{_MONTHS},?\s+(?:de\s+|del\s+)?\d{{4}}"
    rf"|{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:\d{{1,2}}:\d\d(?::\d\d)?\s+\w*\s*)?\d{{4}})"
)
_TIME = (
    r"(?:t?\d{1,2}[:.h]\d\d(?:[:.]\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\b\.?|uhr\b)?"
    r"\s*(?:z\b|utc|gmt|c?est|cet|[epm][sd]t|bst|[+-]\d\d:?\d\d)*)"
)
_JOINED = r"(?:at|on|um|am|le|à|el|a las|il|alle|ore|op|om|de|em|às|the)\b"
_PART = rf"(?:{_DAYS}|{_DATE}|{_TIME})"
#: Bounded, since a row of numbers may be cut into dates and times in many ways.
_MOMENT = (
    rf"(?:(?:{_DAYS}|{_JOINED})[\s,]*){{0,3}}(?:{_DATE}|{_TIME})"
    rf"(?:[\s,;|·(–-]*(?:{_JOINED}\s*)?{_PART}){{0,3}}\)?"
)
_UPDATED = (
    r"(?:updated?|modified|changed|revised|edited|reviewed|refreshed|generated|rendered"
    r"|(?:published|cached|compiled|built|crawled|fetched|synced|checked|snapshot) (?:at|on)"
    r"|last (?:update|change|edit|modification|revision)|retrieved|accessed"
    r"|printed|timestamp"
    r"|aktualisier\w*|geändert|letzte änderung|stand(?= ?:)|zuletzt|abgerufen"
    r"|mise? à jour|modifiée?|dernière modification"
    r"|actualizad[oa]|actualización|modificad[oa]|modificación"
    r"|aggiornat[oa]|aggiornamento|modificat[oa]|ultima modifica"
    r"|modificação|atualizad[oa]|atualização|bijgewerkt|gewijzigd"
    r")"
)
_TODAY = (
    r"(?:today(?: is|'s date)?|current (?:date|time|date and time)|(?:server|local|system) time"
    r"(?: in [^\d:]{1,30})?"
    r"|it is (?:now|currently)|time (?:now|is)(?: is)?|now(?: is)?"
    r"|heute(?: ist)?|aktuelle (?:uhr)?zeit|serverzeit|datum"
    r"|aujourd['’]hui|nous sommes|date du jour|hoy(?: es)?|(?:fecha|hora) actual|oggi(?: è)?"
    r"|ora attuale|hoje(?: é)?|vandaag(?: is)?)"
)
_SECONDS = (
    r"(?:m?s|µs|secs?|seconds?|milliseconds?|sekunden?|secondes?|segundos?|secondi|seconden)\b"
)
_UNITS = (
    r"(?:sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?"
    r"|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?"
    r"|segundos?|minutos?|horas?|días?|dias?|semanas?|mes(?:es)?|años?|anos?"
    r"|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]"
    r"|uur|uren|dag(?:en)?|week|weken|maand(?:en)?|jaar)"
)
_SPAN = (
    rf"(?:\d+|an?|one|ein\w*|une?|un[oa]?|een)\s+{_UNITS}"
    rf"(?:[\s,]+(?:(?:and|und|et|y)\s+)?\d+\s+{_UNITS}){{0,3}}"
)
_COUNTED = (
    r"(?:(?:total|unique|page|site|today'?s?|daily|monthly|profile|web)\s+){0,3}"
    r"(?:(?:page)?views?|visit(?:or)?s?|hits?|reads?|clicks?|likes?|shares?|downloads?|followers?"
    r"|(?:users?|guests?|members?|people)(?:\s+(?:currently\s+)?online)|online"
    r"|(?:seiten)?aufrufe|besucher|zugriffe|downloads|vues?|visites?|visiteurs?|téléchargements?"
    r"|visitas|visitantes|vistas|descargas|visualizzazioni|visite|visitatori|weergaven|bezoekers"
    r"|visualizações|acessos)"
    r"(?:\s+(?:today|total|in total|so far|this (?:week|month)|heute|gesamt|hoy|oggi|hoje))?"
)
_NUMBER = r"\d(?:[\d.,'’ ]{0,14}\d)?[km]?"
_NUMBERED = r"(?:count(?:er)?|no\.?|number|n[r°º]?\.?)?\s*[:#=]*"
_COUNTER = (
    rf"(?:{_NUMBER}\s*{_COUNTED}|{_COUNTED}\s*{_NUMBERED}\s*{_NUMBER}"
    rf"|(?:\w+ ){{0,2}}(?:visitor|guest|visitatore|visiteur|visitante)\s*{_NUMBERED}\s*{_NUMBER}"
    rf"(?:st|nd|rd|th)?|(?:\w+ ){{0,2}}(?:hit|visitor|visit) ?counter\s*:?\s*{_NUMBER}"
    rf"|(?:\w+ ){{1,2}}(?:views|hits|downloads|visits):\s*{_NUMBER})"
)


def _of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


#: Moving by its nature, wherever it stands.
_AGO = _of(
    rf"\b{_SPAN}\s+(?:ago|fa|atrás|geleden|left|remaining|to go)\b"
    rf"|\b(?:il y a|vor|hace|há)\s+{_SPAN}|\bjust now\b"
    rf"|\b(?:update|reload|uptime)s?\s*:?\s*(?:in\s+)?{_SPAN}"
)
_COPYRIGHT = _of(r"(©|\(c\)|\bcopyright\b)([^\d]{0,60})(?:\d{4}(?:\s*[-–—,/]\s*)?)+")
_TOOK = _of(
    r"\b((?:page|site|request|content|seite|página|pagina)?\s*"
    r"(?:(?:was |is )?(?:generated|rendered|loaded|created|served|executed|processed|erzeugt"
    r"|générée?|generad[ao]|generat[ao])|took"
    r"|(?:load|loading|execution|processing|response|generation)\s+time))"
    rf"(\D{{0,24}})\d[\d.,]*\s*{_SECONDS}"
)
_QUERIES = _of(
    r"\b\d+\s+(?:(?:db|database|sql|mysql)\s+)?queries\b|(?<=queries:)\s*\d+"
    rf"|(?<=memory:)\s*\d[\d.,]*\s*[kmg]i?b\b|(?<=time:)\s*\d[\d.,]*\s*{_SECONDS}"
)
_NAMED_ID = _of(
    r"\b((?:(?:cf-)?ray|request|trace|session|transaction|correlation|incident|reference|csrf)[\s-]*"
    r"(?:id|token|number|#)|your ip(?: address)?)\s*(?:is|:|=|#)?\s*[0-9a-f][0-9a-f.:-]{5,}"
    r"|\b(session|token|nonce|trace|build|revision)\s*[:=#]?\s*(?=[a-f-]*\d)[0-9a-f-]{16,}"
)
_TIMES = _of(
    r"\b(accessed|viewed|visited|downloaded|read|opened|vue?|consultée?|lue?|vist[oa]|leíd[oa]|lett[oa]"
    r"|aufgerufen|gelesen|angesehen|abgerufen|bekeken|gelezen)"
    rf"(\s*:?\s*){_NUMBER}\s*(times?|fois|veces|mal|volte|keer|vezes)\b"
)
_PEOPLE = (
    r"(?:users?|guests?|members?|visitors?|people|besucher|gäste|benutzer|utilisateurs?|visiteurs?"
    r"|invités?|usuarios|invitados|visitantes|utenti|ospiti|bezoekers|gasten)"
)
_PRESENT = (
    r"(?:online|on-line|browsing|viewing|logged in|active|en ligne|connectés|en línea|conectados"
    r"|collegati|aktiv)"
)
_CROWD = _of(rf"\b{_PEOPLE}\b.{{0,40}}\b{_PRESENT}\b|\b{_PRESENT}\b.{{0,60}}\b{_PEOPLE}\b")
_ANY_NUMBER = re.compile(r"\d[\d.,]*")
#: Between pieces of a line: a counter is often one of several.
_BETWEEN = re.compile(r"\s*(?:[|·•]|::|\s[–—-]\s|\.\s+(?=[A-Z]))\s*")
#: Moving where nothing says that it is a figure of the page.
_WHEN = _of(rf"(\b(?:{_UPDATED}\b[^\d.]{{0,30}}?[\s:]*|{_TODAY}\b[\s:,]*)){_MOMENT}")
_DAILY = _of(
    r"^((?:quote|thought|tip|word|verse|photo|picture|fact|joke) of the day"
    r"|random (?:quote|fact|tip)|did you know|zitat des tages|citation du jour|frase del día)\b.*"
)
_ALL_MOMENT = _of(rf"\W*{_MOMENT}\W*")
#: A date alone is that of an article; today's has its day, or the time to the second.
_TICKS = _of(rf"{_DAYS}|\d[:.]\d\d[:.]\d\d")
_ALL_COUNTER = _of(rf"\W*{_COUNTER}(?:\s*[,;/]?\s*{_COUNTER}){{0,3}}\W*")
_HAS_DIGIT = re.compile(r"\d")

_ADVERT = re.compile(
    r"(?:^|[\s-])(?:ads?|adverts?|advertisements?|advertising|adsbygoogle|adsense|dfp|sponsored"
    r"|ad(?:slot|unit|box|block|banner|container|wrapper|space|zone|frame|holder|server)s?"
    r"|banner-?ads?|google-ads?|gpt-ads?|outbrain|taboola"
    r"|(?:quote|tip|thought|word|photo|fact)-of-the-day|qotd|random-(?:quote|tip|fact|banner|image)"
    r"|daily-(?:quote|tip)|weather-widget)(?=$|[\s\d-])"
)
_CLOCK = re.compile(
    r"(?:^|[\s-])(?:clock|countdown|last-?(?:updated?|modified|mod|edited|changed?|build)"
    r"|(?:server|current|page-load|load|render|generation)-?(?:time|date)|today-?s?-?date"
    r"|(?:hit|visit|visitor|page|page-?view|view|download)s?-?(?:counter|count|hits)"
    r"|page-?views|view-counter|(?:users?|visitors?|who-?s)-online|online-users|time-?ago|timeago"
    r"|generated-(?:at|in|on)|request-id|csrf(?:-token)?)(?=$|[\s\d-])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ADVERT_PLACE = re.compile(
    r"^https?://(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googleadservices\.com"
    r"|adnxs\.com|criteo\.(?:com|net)|taboola\.com|outbrain\.com|amazon-adsystem\.com|adform\.net"
    r"|adsrvr\.org|ads?\d*\.[\w.-]+|adserver\.[\w.-]+)(?:[:/?]|$)"
    r"|/(?:ad(?:click|server|frame|view)|ads/click|banner/click|delivery/(?:ck|afr|lg|avw)\.php"
    r"|www/delivery/|adclick\.php|click\.php\?(?:[^#]*&)?(?:ad|banner)(?:id)?=)",
    re.IGNORECASE,
)
#: Parameters that are another at each look.
_NONCE_NAMES = """
    csrf csrftoken csrf_token _csrf _token csrfmiddlewaretoken authenticity_token nonce _nonce
    _wpnonce wpnonce __requestverificationtoken form_token form_build_id viewstate __viewstate
    xsrf xsrf_token request_id requestid
"""
_NONCES = frozenset(_NONCE_NAMES.split())
_STAMP_NAMES = "_ ts timestamp cb cachebuster cache_buster nocache rnd rand random t time now"
_STAMPS = frozenset(_STAMP_NAMES.split())
_STAMP = re.compile(r"\d{9,}|\d?\.\d{6,}")
_TOKEN = re.compile(r"(?=[^&]*\d)(?=[^&]*[a-zA-Z])[\w.~%-]{16,}", re.ASCII)
#: What is called by a token of its own, where a token may be all that tells two files apart.
_FETCHES = re.compile(r"download|file|attach|export|document|get|share|/s/|media", re.IGNORECASE)
_DOCUMENT_NAMES = "pdf doc docx ppt pptx odt odp rtf txt md epub xz zst"
_DOCUMENTS = frozenset(_DOCUMENT_NAMES.split())


def still(text: str, *, cell: bool = False, beside_file: bool = False) -> str:
    """Return a text without what moves in it.

    cell: it stands in a cell of a table, where a bare number or date is a figure.
    beside_file: it stands in the row or item of a link to a file: the date is that of the file.

    >>> still("Last updated: 3 May 2026, 10:15"), still("Posted 3 hours ago by Ann")
    ('Last updated:', 'Posted by Ann')
    >>> still("1,204 visitors"), still("1,204 schools"), still("1,204 visitors", cell=True)
    ('', '1,204 schools', '1,204 visitors')
    """
    if not _HAS_DIGIT.search(text):
        if " " not in text or len(text) > MAX_LINE:
            return text
        return " ".join(_DAILY.sub(r"\1", _AGO.sub("", text)).split())
    text = _AGO.sub("", text)
    text = _COPYRIGHT.sub(r"\1\2", text)
    if not beside_file and len(text) <= MAX_LINE:
        text = _told_time(text)
        if not cell and len(text) <= MAX_SHORT:
            text = _pieces(text)
    return " ".join(text.split())


def _told_time(text: str) -> str:
    """Return a line without when the page was made, how long that took, and who looks at it."""
    text = _TIMES.sub(r"\1\2\3", _WHEN.sub(r"\1", text))
    text = _QUERIES.sub("", _TOOK.sub(r"\1\2", text))
    text = _DAILY.sub(r"\1", _NAMED_ID.sub(r"\1\2", text))
    return _ANY_NUMBER.sub("", text) if _CROWD.search(text) else text


def _pieces(text: str) -> str:
    """Return a short line without those of its pieces that are counters, or tell the time."""
    pieces = _BETWEEN.split(text)
    kept = [piece for piece in pieces if not (_HAS_DIGIT.search(piece) and _is_moving(piece))]
    return text if len(kept) == len(pieces) else " | ".join(kept)


def _is_moving(text: str) -> bool:
    if _ALL_COUNTER.fullmatch(text):
        return True
    return bool(_ALL_MOMENT.fullmatch(text) and _TICKS.search(text))


@lru_cache(maxsize=4096)
def longest_moving(names: str) -> int:
    """Return how long an element may be that is noise by its class and id; 0: it is none.

    >>> longest_moving("sidebar adSlot_3"), longest_moving("lastUpdated"), longest_moving("header")
    (400, 80, 0)
    """
    plain = _CAMEL.sub("-", names).replace("_", "-").lower()
    if _ADVERT.search(plain):
        return MAX_ADVERT
    return MAX_CLOCK if _CLOCK.search(plain) else 0


def is_advert(url: str) -> bool:
    """Say whether an address is that of a server of adverts.

    >>> is_advert("https://ad.doubleclick.net/x"), is_advert("https://example.org/ads.csv")
    (True, False)
    """
    return _ADVERT_PLACE.search(url) is not None


def still_url(url: str) -> str:
    """Return an address without session ids, nonces and times of day.

    >>> still_url("http://a.org/x?id=3&_wpnonce=8f1c&_=1763293689")
    'http://a.org/x?id=3'
    """
    url = key(url)
    path, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [piece for piece in query.split("&") if not _is_nonce(path, piece)]
    return f"{path}?{'&'.join(kept)}" if kept else path


def _is_nonce(path: str, piece: str) -> bool:
    name, _, value = piece.partition("=")
    name = name.lower()
    if name in _NONCES:
        return True
    if name in _STAMPS and _STAMP.fullmatch(value):
        return True
    is_token = name == "token" and _TOKEN.fullmatch(value)
    return bool(is_token) and not (_FETCHES.search(path) or leads_to_file(path))


def leads_to_file(url: str) -> bool:
    """Say whether a link leads to a file rather than to a page, told by its address."""
    return extension(url) in _DOCUMENTS or is_data_file(url)
