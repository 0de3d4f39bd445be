"""The two APIs of generated repositories that speak XML: CSW 2.0.2 and OAI-PMH 2.0."""

from collections.abc import Mapping
from xml.sax.saxutils import escape

from experiments.discover.pages import place
from experiments.discover.repository import Dataset, Repository, files

#: Records of an answer.
EACH = 100


def csw(own: Repository, path: str, call: Mapping[str, str], root: str) -> str | None:
    """Return what a catalogue service of the OGC says."""
    if path != "/catalogue/csw":
        return None
    space = 'xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"'
    if call.get("request") != "GetRecords":
        return f'<csw:Capabilities {space} version="2.0.2"/>'
    first = int(call.get("startPosition", "1")) - 1
    rows = own.datasets[first : first + min(int(call.get("maxRecords", "10")), EACH)]
    end = first + len(rows)
    onward = end + 1 if end < len(own.datasets) else 0
    records = "".join(_csw_record(own, each, root) for each in rows)
    return (
        f'<csw:GetRecordsResponse {space} xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dct="http://purl.org/dc/terms/">'
        f'<csw:SearchResults numberOfRecordsMatched="{len(own.datasets)}" nextRecord="{onward}" '
        f'numberOfRecordsReturned="{len(rows)}">{records}'
        "</csw:SearchResults></csw:GetRecordsResponse>"
    )


def _csw_record(own: Repository, each: Dataset, root: str) -> str:
    links = "".join(
        f'<dc:URI protocol="WWW:DOWNLOAD-1.0-http--download" name="{each.id}.{kind}">'
        f"{escape(root + url)}</dc:URI>"
        for url, kind in files(own, each)
    )
    return (
        f"<csw:Record><dc:identifier>{each.id}</dc:identifier>"
        f"<dc:title>{escape(each.title)}</dc:title><dc:type>dataset</dc:type>"
        f"<dct:abstract>{escape(each.text)}</dct:abstract>"
        f"<dct:modified>{each.modified}</dct:modified>{links}</csw:Record>"
    )


def oai(own: Repository, path: str, call: Mapping[str, str], root: str) -> str | None:
    """Return what a repository tells harvesters."""
    if not path.endswith("/oai/request"):
        return None
    if call.get("verb") == "Identify":
        return _oai("<Identify><protocolVersion>2.0</protocolVersion></Identify>")
    token = call.get("resumptionToken", "0")
    first = int(token) if token.isdecimal() else 0
    rows = own.datasets[first : first + EACH]
    onward = str(first + EACH) if first + EACH < len(own.datasets) else ""
    inner = "".join(_oai_record(own, each, root) for each in rows)
    count = len(own.datasets)
    inner += f'<resumptionToken completeListSize="{count}">{onward}</resumptionToken>'
    return _oai(f"<ListRecords>{inner}</ListRecords>")


def _oai(inner: str) -> str:
    return (
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f"<responseDate>2026-01-01T00:00:00Z</responseDate>{inner}</OAI-PMH>"
    )


def _oai_record(own: Repository, each: Dataset, root: str) -> str:
    places = [f"{root}{place(own, each)}", *(f"{root}{url}" for url, _ in files(own, each))]
    told = "".join(f"<dc:identifier>{escape(url)}</dc:identifier>" for url in places)
    return (
        f"<record><header><identifier>oai:{each.id}</identifier>"
        f"<datestamp>{each.modified}</datestamp></header><metadata>"
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(each.title)}</dc:title>'
        f"<dc:type>info:eu-repo/semantics/dataset</dc:type>{told}"
        f"<dc:description>{escape(each.text)}</dc:description></oai_dc:dc></metadata></record>"
    )
