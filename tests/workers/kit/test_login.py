"""The shared login: one worker logs in, the others take over what it got, or its failure."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.support.jobs import RUN
from workers.kit.bench import Bench
from workers.kit.errors import LoginFailed
from workers.kit.login import SharedLogin


def login(bench: Bench) -> SharedLogin:
    return SharedLogin(replace(bench), RUN)


def test_nobody_has_logged_in_at_first(bench: Bench) -> None:
    assert login(bench).current() == (0, None)
    assert login(bench).failed() is None


def test_of_many_workers_one_logs_in(bench: Bench) -> None:
    made: list[int] = []

    def log_in() -> bytes:
        made.append(1)
        return b"cookies"

    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda _: login(bench).renew(0, log_in), range(4)))
    assert made == [1]
    assert {generation for generation, _ in got} == {1}
    assert bench.blobs.get(got[0][1]) == b"cookies"


def test_a_worker_that_saw_an_older_generation_takes_the_newer_one(bench: Bench) -> None:
    first = login(bench).renew(0, lambda: b"one")
    second = login(bench).renew(first[0], lambda: b"two")
    assert second[0] == 2
    assert login(bench).renew(first[0], lambda: b"three") == second
    assert login(bench).current() == second


def test_a_failed_login_fails_for_everybody_with_the_same_sentence(bench: Bench) -> None:
    def log_in() -> bytes:
        raise LoginFailed("The app refused the password.")

    with pytest.raises(LoginFailed):
        login(bench).renew(0, log_in)
    with pytest.raises(LoginFailed, match=r"The app refused the password\."):
        login(bench).renew(0, lambda: b"never")
    assert login(bench).failed() == "The app refused the password."


def test_a_crash_inside_the_login_frees_the_lock(bench: Bench) -> None:
    def log_in() -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        login(bench).renew(0, log_in)
    assert login(bench).renew(0, lambda: b"cookies")[0] == 1


def test_the_lock_has_one_holder_and_only_it_can_free_it(bench: Bench) -> None:
    holder, other = login(bench), login(bench)
    assert holder.try_acquire()
    assert holder.try_acquire()
    other.release()
    assert not other.try_acquire()
    holder.release()
    assert other.try_acquire()
