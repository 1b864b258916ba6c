"""Checkpoints: kept in order, appended once, and only by the holder of the fence."""

import pytest

from tests.support.jobs import job
from workers.kit.bench import Bench
from workers.kit.duty import Duty, LeaseLost


def begin(bench: Bench) -> Duty:
    duty = Duty(bench, job(), lambda: None)
    duty.begin()
    return duty


def test_the_next_start_finds_what_the_last_one_appended(bench: Bench) -> None:
    begin(bench).checkpoints.append(b"one", b"two")
    second = begin(bench)
    assert second.checkpoints.load() == [b"one", b"two"]
    second.checkpoints.append(b"three")
    assert second.checkpoints.load() == [b"one", b"two", b"three"]


def test_a_superseded_worker_appends_nothing(bench: Bench) -> None:
    first = begin(bench)
    first.checkpoints.append(b"one")
    second = begin(bench)
    with pytest.raises(LeaseLost):
        first.checkpoints.append(b"late")
    assert second.checkpoints.load() == [b"one"]


def test_an_append_whose_reply_was_lost_does_not_double(bench: Bench) -> None:
    duty = begin(bench)
    duty.checkpoints.load()
    key = duty.checkpoints._key
    args = (duty.lease.fence, 0, 60, b"one")
    assert bench.append((duty.lease.keys[0], key), args) == 1
    assert bench.append((duty.lease.keys[0], key), args) == 1
    assert bench.redis.llen(key) == 1


def test_many_entries_go_in_order(bench: Bench) -> None:
    entries = [str(number).encode() for number in range(1200)]
    begin(bench).checkpoints.append(*entries)
    assert begin(bench).checkpoints.load() == entries
