package dev.rollcall.model.usage;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The usage of a cgroup since its creation. What the node's kernel does not count is absent, which
 * is different from 0.
 *
 * @param memoryNow bytes charged now; {@code memory.current}
 * @param memoryPeak bytes at most; {@code memory.peak} (Linux 5.19), {@code
 *     memory.max_usage_in_bytes}
 * @param readBytes from block devices
 * @param writtenBytes to block devices
 * @param processesNow processes and threads, where the kernel counts them, else processes
 * @param processesPeak {@code pids.peak} (Linux 6.5)
 * @param oomKills processes that the kernel killed for want of memory
 * @param pidsRefused forks that {@code pids.max} refused
 * @param details of memory
 */
public record Usage(
    Optional<Duration> userTime,
    Optional<Duration> systemTime,
    OptionalLong memoryNow,
    OptionalLong memoryPeak,
    OptionalLong readBytes,
    OptionalLong writtenBytes,
    OptionalLong processesNow,
    OptionalLong processesPeak,
    OptionalLong oomKills,
    OptionalLong pidsRefused,
    Optional<Pressure> pressure,
    MemoryDetails details) {}
