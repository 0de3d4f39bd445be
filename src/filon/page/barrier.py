"""Whether a page keeps readers out: a login, a test for humans, a shell that only scripts fill.

A guess for a sentence to a person, never a reason to ask for less: what is told is what the page
shows, and a page with links to go on with is no barrier, whatever else is on it.
"""

import re
from typing import Literal

from selectolax.lexbor import LexborHTMLParser

from filon.core import Response
from filon.page.charset import to_utf8
from filon.page.limits import limited

Barrier = Literal["", "missing", "login", "captcha", "script"]

#: More links than these lead on; a login or an error page has some to its help and its imprint.
_FEW_LINKS = 12
#: A page that a script has yet to fill shows no more than a greeting.
_FEW_LETTERS = 300
_MAX_BODY = 512 * 1024

_CAPTCHA_HEADERS = ("cf-mitigated", "x-amzn-waf-action", "x-datadome", "x-px-captcha")
_CAPTCHA = re.compile(
    rb"cf-chl-|challenge-platform|cf_captcha|g-recaptcha|h-captcha|hcaptcha\.com|turnstile"
    rb"|captcha-delivery\.com|px-captcha|_incapsula_|awswafcaptcha|geo\.captcha"
    rb"|are you (a )?(human|robot)|verify(ing)? (that )?you are (a )?human"
    rb"|checking your browser|unusual traffic|enable javascript and cookies to continue",
    re.IGNORECASE,
)
_LOGIN_PLACE = re.compile(
    r"/(log-?in|sign-?in|sso|cas|saml2?|oauth2?|openid|auth(enticate|orize)?|anmeld\w*|connexion)\b",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"\b404\b|\bnot found\b|does not exist|no longer (available|exists)|introuvable"
    r"|nicht gefunden|no encontrad[ao]|n[ãa]o encontrad[ao]|non trovat[ao]|niet gevonden",
    re.IGNORECASE,
)
_LOADING = re.compile(r"javascript|loading|please wait|chargement|laden|cargando", re.IGNORECASE)
#: Where frameworks put what they make.
_ROOTS = "#root, #app, #__next, #__nuxt, #___gatsby, app-root, [ng-app], [data-reactroot]"


def barrier(response: Response) -> Barrier:
    """Return what keeps readers out of a page; "": nothing.

    >>> page = b"<form action=/in><input name=who><input type=password></form>"
    >>> html = (("Content-Type", "text/html"),)
    >>> barrier(Response(url="http://a.org/", status=200, headers=html, body=page))
    'login'
    """
    if response.status in (401, 407):
        return "login"
    if any(response.header(name) for name in _CAPTCHA_HEADERS if response.status != 200):
        return "captcha"
    if "html" not in response.mime:
        return "missing" if response.status in (404, 410) else ""
    body = to_utf8(response.body[:_MAX_BODY], response.header("content-type"))
    document = LexborHTMLParser(limited(body))
    return _shown(response, body, document)


def _shown(response: Response, body: bytes, document: LexborHTMLParser) -> Barrier:
    links = {node.attributes.get("href") for node in document.css("a[href], area[href]")}
    frames = document.css("frame[src], iframe[src], meta[http-equiv=refresh i]")
    few = len(links) <= _FEW_LINKS
    if few and _CAPTCHA.search(body):
        return "captcha"
    if response.status in (404, 410):
        return "missing"
    if few and (document.css("input[type=password i]") or _LOGIN_PLACE.search(response.url)):
        return "login"
    title = document.css_first("title")
    if few and title and _MISSING.search(title.text()):
        return "missing"
    roots, scripts = document.css(_ROOTS), document.css("script")
    noscript = " ".join(node.text() for node in document.css("noscript"))
    document.strip_tags(["script", "style", "noscript", "template", "svg", "title"])
    text = " ".join(document.body.text(separator=" ").split()) if document.body else ""
    is_shell = bool(roots) or bool(_LOADING.search(f"{noscript} {text}"))
    if scripts and not links and not frames and len(text) < _FEW_LETTERS and is_shell:
        return "script"
    return ""
