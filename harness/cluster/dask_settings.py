"""Configures dask.distributed for tournaments. Turns off unneeded features, and shortens time-outs."""

from __future__ import annotations

import logging
from types import MappingProxyType

import dask
from distributed import Security

from harness.cluster.keys import Keys

FROZEN = 30
"""If a node gives no sign of life for this number of seconds, it counts as lost."""

SETTINGS = MappingProxyType(
    {
        # dask compares times of day. If somebody set the clock forward, dask would end all nodes. harness
        # itself notices frozen nodes (harness/cluster/members.py).
        "distributed.scheduler.worker-ttl": None,
        # harness itself decides which node runs each task, and repeats lost tasks.
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
        # Without these limits, dask would log every task, and its logs would grow with the tournament.
        "distributed.admin.log-length": 100,
        "distributed.admin.low-level-log-length": 100,
        "distributed.scheduler.events-cleanup-delay": "1m",
        # Even without matches, a process wakes at each tick. The default of dask is 50 ticks a second.
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.tick.cycle": "10s",
        "distributed.admin.tick.limit": "60s",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.admin.system-monitor.log-length": 60,
        "distributed.admin.system-monitor.gil.enabled": False,
        "distributed.client.scheduler-info-interval": "30s",
        # A new connection for each message would take longer than the message itself.
        "distributed.scheduler.reuse-broadcast-comm": True,
        "distributed.diagnostics.nvml": False,
        "distributed.diagnostics.computations.max-history": 1,
        "distributed.worker.profile.enabled": False,
        # Bots have limits of their own, and the dask worker itself needs little memory.
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
        "distributed.worker.memory.terminate": False,
        "distributed.comm.timeouts.connect": "10s",
        "distributed.comm.timeouts.tcp": f"{FROZEN}s",
    }
)


def apply_settings() -> None:
    """Applies the settings to this process, and turns off all messages of dask.

    The messages of harness itself say what a user needs to know.
    """
    dask.config.set(SETTINGS)
    for name in ("distributed", "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def security(keys: Keys) -> Security:
    """Returns the keys of the cluster in the form that dask needs."""
    own = {
        f"tls_{whose}_{what}": str(file)
        for whose in ("client", "scheduler", "worker")
        for what, file in (("cert", keys.certificate), ("key", keys.key))
    }
    return Security(tls_ca_file=str(keys.authority), require_encryption=True, **own)
