"""Every name by which a job travels has both of its ends, and a run's keys stand together."""

import re
from collections.abc import Callable
from typing import get_args

import pytest

from contract import channels
from contract.channels import ACTOR_OF, BROWSER_QUEUE, QUEUE_OF
from contract.identity import JobId, RunId
from contract.jobs import AnyJob, Job
from workers.browser.actors import BrowserService

RUN = RunId("run-1")
JOBS: frozenset[type[Job]] = frozenset(get_args(AnyJob))


def test_every_kind_of_job_has_a_queue_and_an_actor() -> None:
    assert QUEUE_OF.keys() == JOBS
    assert ACTOR_OF.keys() == JOBS


def test_the_browser_service_handles_just_the_actors_of_its_queue() -> None:
    actors = {ACTOR_OF[kind] for kind, queue in QUEUE_OF.items() if queue == BROWSER_QUEUE}

    assert BrowserService().handlers.keys() == actors


def test_an_actor_is_named_like_the_jobs_it_takes() -> None:
    for kind, actor in ACTOR_OF.items():
        assert kind.__struct_config__.tag == actor


def test_a_lease_outlives_several_beats() -> None:
    assert channels.BEAT_S * 3 < channels.LEASE_S


@pytest.mark.parametrize(
    "key",
    [
        channels.results_stream,
        channels.marker_key,
        channels.starts_key,
        channels.login_key,
        channels.coordinator_key,
        channels.epoch_key,
    ],
)
def test_a_key_of_a_run_stands_below_its_prefix(key: Callable[[str, RunId], str]) -> None:
    assert key("ns", RUN).startswith(channels.run_prefix("ns", RUN) + ":")


@pytest.mark.parametrize("key", [channels.beat_key, channels.fence_key, channels.checkpoint_key])
def test_a_key_of_a_job_stands_below_its_run_and_ends_in_the_job(
    key: Callable[[str, RunId, JobId], str],
) -> None:
    name = key("ns", RUN, JobId("explore:orders"))

    assert name.startswith(channels.run_prefix("ns", RUN) + ":")
    assert name.endswith(":explore:orders")


def test_no_two_keys_of_a_run_are_the_same() -> None:
    of_run = [
        channels.results_stream,
        channels.marker_key,
        channels.starts_key,
        channels.login_key,
        channels.coordinator_key,
        channels.epoch_key,
    ]
    of_job = [channels.beat_key, channels.fence_key, channels.checkpoint_key]

    keys = [key("ns", RUN) for key in of_run] + [key("ns", RUN, JobId("j")) for key in of_job]

    assert len(set(keys)) == len(keys)


def test_a_blob_is_named_by_its_digest_alone() -> None:
    assert re.fullmatch(r"cas/sha256/[0-9a-f]{64}", channels.blob_path("0" * 64))
