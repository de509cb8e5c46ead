package dev.rollcall.cli.job;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Rlimit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what a job is given on this node. */
final class AllocationOptions {
  @Mixin private final LimitOptions limits = new LimitOptions();
  @Mixin private final DeviceOptions devices = new DeviceOptions();

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description = "For the job's sessions, if the node's allow-list names it.")
  private List<String> environment = List.of();

  @Option(
      names = "--rlimit",
      paramLabel = "NAME=SOFT[:HARD]",
      description = "Of the job's steps: nofile=1024:4096, memlock=unlimited.")
  private List<Rlimit> rlimits = List.of();

  /**
   * @throws CommandFailure for a value that cannot be
   */
  Allocation allocation() {
    try {
      return new Allocation(limits.limits(), devices.rules(), variables(), rlimits);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }

  private Map<String, String> variables() {
    Map<String, String> all = new TreeMap<>();
    for (String text : environment) {
      String[] pair = text.split("=", 2);
      if (pair.length != 2 || all.put(pair[0], pair[1]) != null) {
        throw new IllegalArgumentException("--env '" + text + "' is not NAME=VALUE, once a name");
      }
    }
    return all;
  }

  /** The options that say which devices may be used. */
  static final class DeviceOptions {
    @Option(
        names = "--device-allow",
        paramLabel = "RULE",
        description = "Only these devices, and the base ones: 'c 195:* rw'.")
    private List<DeviceRule> allowed = List.of();

    @Option(names = "--device-deny", paramLabel = "RULE", description = "All devices but these.")
    private List<DeviceRule> denied = List.of();

    DeviceRules rules() {
      if (!allowed.isEmpty() && !denied.isEmpty()) {
        throw CommandFailure.usage("--device-allow and --device-deny cannot be used together");
      }
      if (!allowed.isEmpty()) {
        return new DeviceRules(DeviceRules.Kind.ALLOW_LIST, allowed);
      }
      return denied.isEmpty()
          ? DeviceRules.OPEN
          : new DeviceRules(DeviceRules.Kind.DENY_LIST, denied);
    }
  }
}
