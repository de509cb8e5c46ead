package dev.rollcall.agent.series.device;

import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The GPUs of a node.
 *
 * @param nvidia NVIDIA's by their minors, in the order of their buses
 * @param instances MIG GPU instances, by the minors of the files that give access to them
 * @param capabilities the major of those files
 * @param render others, by the minors of their render nodes
 */
public record KnownGpus(
    Map<Integer, JobDevice> nvidia,
    Map<Integer, JobDevice> instances,
    OptionalInt capabilities,
    Map<Integer, JobDevice> render) {
  static final KnownGpus NONE = new KnownGpus(Map.of(), Map.of(), OptionalInt.empty(), Map.of());

  // Linux, admin-guide/devices.txt; include/drm/drm_file.h.
  private static final int NVIDIA = 195;
  private static final int GRAPHICS = 226;
  static final int FIRST_RENDER = 128;

  /** Of drivers before 470: the GPU, its instance, and the compute instance. */
  private static final Pattern OLD_MIG = Pattern.compile("MIG-(GPU-[^/]+)/([0-9]{1,4})/[0-9]+");

  /** The devices of a job: those that its rules allow, else those that are named. */
  public List<JobDevice> of(DeviceClaims claims) {
    Set<JobDevice> its = new LinkedHashSet<>();
    if (claims.rules().kind() == Kind.ALLOW_LIST) {
      claims.rules().rules().forEach(rule -> allowed(rule).ifPresent(its::add));
    }
    if (its.isEmpty()) {
      claims.names().forEach(name -> its.add(named(name)));
    }
    // An instance cannot be used without the file of its GPU.
    Set<OptionalInt> parts =
        its.stream()
            .filter(each -> each.gpuInstance().isPresent())
            .map(JobDevice::minor)
            .collect(Collectors.toSet());
    return its.stream()
        .filter(each -> each.gpuInstance().isPresent() || !parts.contains(each.minor()))
        .limit(DeviceClaims.MOST)
        .toList();
  }

  private Optional<JobDevice> allowed(DeviceRule rule) {
    if (rule.major().isEmpty() || rule.minor().isEmpty()) {
      return Optional.empty();
    }
    int major = rule.major().getAsInt();
    Map<Integer, JobDevice> all =
        rule.major().equals(capabilities)
            ? instances
            : major == NVIDIA ? nvidia : major == GRAPHICS ? render : Map.of();
    return Optional.ofNullable(all.get(rule.minor().getAsInt()));
  }

  private JobDevice named(String name) {
    Matcher old = OLD_MIG.matcher(name);
    Optional<JobDevice> found =
        Character.isDigit(name.charAt(0))
            ? numbered(Integer.parseInt(name))
            : old.matches()
                ? byUuid(old.group(1)).map(it -> it.instance(Integer.parseInt(old.group(2))))
                : byUuid(name);
    return found.orElseGet(() -> JobDevice.unknown(name));
  }

  /** CUDA also takes the beginning of a UUID. */
  private Optional<JobDevice> byUuid(String uuid) {
    return nvidia.values().stream().filter(each -> each.uuid().startsWith(uuid)).findFirst();
  }

  /** Where GPUs have instances, Slurm counts those, so that a number is of no file. */
  private Optional<JobDevice> numbered(int number) {
    return nvidia.isEmpty()
        ? Optional.ofNullable(render.get(FIRST_RENDER + number % FIRST_RENDER))
        : Optional.ofNullable(nvidia.get(number)).filter(_ -> instances.isEmpty());
  }
}
