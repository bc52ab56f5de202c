"""Settings of dask.distributed for tournaments: what is not needed is off, and losses are noticed early."""

from __future__ import annotations

import logging
from types import MappingProxyType

import dask
from distributed import Security

from harness.cluster.keys import Keys

FROZEN = 30
"""The seconds without a sign of life after which a node counts as lost."""

SETTINGS = MappingProxyType(
    {
        "distributed.scheduler.worker-ttl": f"{FROZEN}s",
        # The client says where each task goes, and makes lost ones again itself.
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
        # Logs of all tasks would grow with the tournament.
        "distributed.admin.log-length": 100,
        "distributed.admin.low-level-log-length": 100,
        "distributed.scheduler.events-cleanup-delay": "1m",
        # Without matches too, a process wakes at each tick: 50 times a second as dask has it.
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.tick.cycle": "10s",
        "distributed.admin.tick.limit": "60s",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.admin.system-monitor.log-length": 60,
        "distributed.admin.system-monitor.gil.enabled": False,
        "distributed.client.scheduler-info-interval": "30s",
        # A new connection for each message costs more than all else that a message does.
        "distributed.scheduler.reuse-broadcast-comm": True,
        "distributed.diagnostics.nvml": False,
        "distributed.diagnostics.computations.max-history": 1,
        "distributed.worker.profile.enabled": False,
        # Bots have limits of their own, and the dask worker itself needs little.
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
        "distributed.worker.memory.terminate": False,
        "distributed.comm.timeouts.connect": "10s",
        "distributed.comm.timeouts.tcp": f"{FROZEN}s",
    }
)


def apply_settings() -> None:
    """Applies them to this process, and lets dask write nothing: harness says what its user needs."""
    dask.config.set(SETTINGS)
    for name in ("distributed", "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def security(keys: Keys) -> Security:
    """The keys in dask's words."""
    own = {
        f"tls_{whose}_{what}": str(file)
        for whose in ("client", "scheduler", "worker")
        for what, file in (("cert", keys.certificate), ("key", keys.key))
    }
    return Security(tls_ca_file=str(keys.authority), require_encryption=True, **own)
