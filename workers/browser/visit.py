"""A job's way to its route: session, page, and what can go wrong before anything is looked at.

What ends a visit early becomes the reason that the coordinator acts on; a bug of the app never is.
Leaves out what is done there (`explore`, `review`).
"""

from collections.abc import Awaitable, Callable
from urllib.parse import urljoin

from contract.jobs import ExploreRoute, ReviewRoute
from contract.vocabulary import FailureReason
from workers.browser.brief import Elsewhere
from workers.browser.evidence import storing
from workers.browser.lifecycle import Host
from workers.browser.page import ChromiumPage
from workers.browser.policy import Rules
from workers.browser.session import Session, Unreachable
from workers.kit.duty import Duty

Work = Callable[[ChromiumPage, Rules], Awaitable[None]]


async def visit(job: ExploreRoute | ReviewRoute, duty: Duty, host: Host, work: Work) -> None:
    """Do the work on the route's page, which is closed afterwards."""
    session = Session(duty, host, job.site, limits=job.limits, route=job.route)
    rules = Rules(job.site.safety, job.site.base_url)
    page: ChromiumPage | None = None
    try:
        await session.begin()
        page = ChromiumPage(
            url=urljoin(job.site.base_url, job.route),
            new_context=session.context,
            rules=rules,
            limits=job.limits,
            waits=job.waits,
            store=storing(duty.blobs.put),
            session_lost=session.lost,
        )
        await work(page, rules)
    except Unreachable as error:
        duty.fail(FailureReason.APP_UNREACHABLE, retryable=False, detail=str(error)[:300])
    except Elsewhere as error:
        if error.reason is FailureReason.CRASHED:
            host.failed()
        duty.fail(error.reason, retryable=False, detail=str(error))
    finally:
        if page is not None:
            await page.close()
