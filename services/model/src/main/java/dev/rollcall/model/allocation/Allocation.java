package dev.rollcall.model.allocation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The resources of a job on one node.
 *
 * @param environment for its sessions, e.g. {@code CUDA_VISIBLE_DEVICES}; the agent hands on what
 *     the site's allow-list names
 * @param rlimits of its steps, which sessions get where the site wants it
 */
public record Allocation(
    Limits limits, DeviceRules devices, Map<String, String> environment, List<Rlimit> rlimits) {
  /** Nothing is said. */
  public static final Allocation NONE =
      new Allocation(Limits.NONE, DeviceRules.OPEN, Map.of(), List.of());

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,126}");
  private static final int LONGEST_VALUE = 4_096;

  public Allocation {
    environment = Map.copyOf(environment);
    rlimits = List.copyOf(rlimits);
    environment.forEach((name, value) -> {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is not a variable's name");
      }
      if (value.getBytes(UTF_8).length > LONGEST_VALUE
          || value.chars().anyMatch(each -> each < ' ')) {
        throw new IllegalArgumentException(
            "the value of " + name + " is over 4096 bytes or has control characters");
      }
    });
  }

  public Allocation with(Limits changed) {
    return new Allocation(changed, devices, environment, rlimits);
  }

  public Allocation with(DeviceRules changed) {
    return new Allocation(limits, changed, environment, rlimits);
  }

  /** The same with these variables, of which the later ones replace the earlier ones. */
  public Allocation with(Map<String, String> earlier, Map<String, String> later) {
    Map<String, String> both = new HashMap<>(earlier);
    both.putAll(later);
    return new Allocation(limits, devices, both, rlimits);
  }
}
