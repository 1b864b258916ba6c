"""`broken_image`: a picture of the app that does not show."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case
from workers.browser.places import mask_path, same_origin


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: the page can be used. Pictures of other hosts may be the environment."""
    if case.after is None:
        return
    seen = () if case.landed else case.effect.before.health.broken_images
    for source in case.after.health.broken_images:
        if source in seen:
            continue
        if not same_origin(source, case.base_url) or case.is_noise(source):
            continue
        path = urlsplit(source).path
        yield case.suspicion(
            BugKind.BROKEN_IMAGE,
            Severity.MINOR,
            said=mask_path(path),
            description=f"{case.what} shows a broken picture: {path}",
            expected="The picture shows",
            actual=f"{path} has no pixels",
            evidence=(path,),
        )
