"""Settings come from the environment, and secrets stay out of `repr`."""

import pytest

from workers.kit.settings import SettingsError, WorkerSettings


def test_the_environment_is_read_once() -> None:
    env = {
        "MAZEWAVE_BROKER": "redis://:hunter2@host:1/0",
        "MAZEWAVE_BLOBS": "s3://key:secret@bucket",
        "MAZEWAVE_WORKER_NAME": "w",
        "MAZEWAVE_METRICS_PORT": "9100",
    }
    settings = WorkerSettings.from_env(env)
    assert (settings.worker_name, settings.metrics_port) == ("w", 9100)
    assert "hunter2" not in repr(settings)
    assert "secret" not in repr(settings)


def test_a_wrong_number_is_named() -> None:
    with pytest.raises(SettingsError, match="MAZEWAVE_METRICS_PORT must be a number"):
        WorkerSettings.from_env({"MAZEWAVE_METRICS_PORT": "http"})


def test_a_worker_without_a_name_gets_one() -> None:
    assert WorkerSettings.from_env({}).worker_name
