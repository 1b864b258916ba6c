"""Every name by which a job travels has both of its ends."""

from typing import get_args

from contract.channels import ACTOR_OF, QUEUE_OF
from contract.jobs import AnyJob


def test_every_job_has_an_actor_and_a_queue() -> None:
    jobs = set(get_args(AnyJob))
    assert ACTOR_OF.keys() == jobs
    assert QUEUE_OF.keys() == jobs


def test_no_two_jobs_share_an_actor() -> None:
    assert len(set(ACTOR_OF.values())) == len(ACTOR_OF)
