"""JSON-LD contexts that many documents name, in short form: what their terms mean, not how.

Each is kept by `jsonld.name`. A vocabulary's context mostly says that its terms live in its own
namespace, and which of them hold an IRI rather than a text; that much is here, so that no
document needs a request to be read.
"""

from typing import Any

SCHEMA_IRIS = (
    "url sameAs image logo mainEntityOfPage contentUrl embedUrl thumbnailUrl additionalType "
    "codeRepository downloadUrl installUrl license map photo relatedLink serviceUrl "
    "significantLink acquireLicensePage conditionsOfAccess isBasedOn isBasedOnUrl "
    "discussionUrl replyToUrl paymentUrl trackingUrl schemaVersion usageInfo ethicsPolicy "
    "publishingPrinciples correctionsPolicy diversityPolicy unnamedSourcesPolicy hasMap "
    "itemCondition availability businessFunction eventStatus eventAttendanceMode conformsTo"
)


def _vocabulary(namespace: str, iris: str = "", **more: Any) -> dict[str, Any]:
    """A context whose terms live in one namespace; iris: those that hold an IRI."""
    aliases = {"id": "@id", "type": "@type"}
    typed = {term: {"@id": namespace + term, "@type": "@id"} for term in iris.split()}
    return {"@vocab": namespace, **aliases, **typed, **more}


CONTEXTS: dict[str, Any] = {
    "schema.org": _vocabulary("http://schema.org/", SCHEMA_IRIS, schema="http://schema.org/"),
    "w3.org/ns/activitystreams": _vocabulary(
        "https://www.w3.org/ns/activitystreams#",
        "actor object target origin result instrument attributedTo attachment audience cc bcc to "
        "bto context current first last next prev generator icon image inReplyTo location items "
        "oneOf anyOf partOf preview relationship replies tag url href inbox outbox following "
        "followers liked streams endpoints describes subject likes shares",
    ),
    "w3.org/ns/hydra/context.jsonld": _vocabulary(
        "http://www.w3.org/ns/hydra/core#",
        "entrypoint apiDocumentation collection member first last next previous view search "
        "expects returns property domain range subClassOf subPropertyOf seeAlso",
        hydra="http://www.w3.org/ns/hydra/core#",
    ),
    "w3.org/ns/csvw": _vocabulary(
        "http://www.w3.org/ns/csvw#",
        "url",
        csvw="http://www.w3.org/ns/csvw#",
        dc="http://purl.org/dc/terms/",
        dcat="http://www.w3.org/ns/dcat#",
        schema="http://schema.org/",
    ),
    "w3.org/ns/anno.jsonld": _vocabulary(
        "http://www.w3.org/ns/oa#",
        "body target source motivation hasBody hasTarget generator",
        creator={"@id": "http://purl.org/dc/terms/creator", "@type": "@id"},
    ),
    "w3.org/ns/odrl.jsonld": _vocabulary(
        "http://www.w3.org/ns/odrl/2/", "target assigner assignee action uid profile"
    ),
    "w3.org/ns/ldp": _vocabulary("http://www.w3.org/ns/ldp#", "contains member"),
    "json-ld.org/contexts/person.jsonld": _vocabulary(
        "http://xmlns.com/foaf/0.1/", "homepage image knows"
    ),
    "purl.org/geojson/contexts/geojson-base.jsonld": _vocabulary(
        "https://purl.org/geojson/vocab#",
        coordinates={"@id": "https://purl.org/geojson/vocab#coordinates", "@container": "@list"},
    ),
    "project-open-data.cio.gov/v1.1/schema/catalog.jsonld": _vocabulary(
        "http://www.w3.org/ns/dcat#",
        "accessURL downloadURL landingPage conformsTo describedBy",
        title="http://purl.org/dc/terms/title",
        description="http://purl.org/dc/terms/description",
        modified="http://purl.org/dc/terms/modified",
        issued="http://purl.org/dc/terms/issued",
        publisher="http://purl.org/dc/terms/publisher",
        identifier="http://purl.org/dc/terms/identifier",
        spatial="http://purl.org/dc/terms/spatial",
        temporal="http://purl.org/dc/terms/temporal",
        license={"@id": "http://purl.org/dc/terms/license", "@type": "@id"},
    ),
}
