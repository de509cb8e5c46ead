package dev.rollcall.agent.series.device;

import dev.rollcall.model.allocation.DeviceRules;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads which devices a job has from its variables and rules.
 *
 * @param names numbers of the node's GPUs, or their UUIDs
 * @param rules of an own job
 */
public record DeviceClaims(List<String> names, DeviceRules rules) {
  /** More than any node has; a user may have written the variables. */
  static final int MOST = 64;

  private static final Pattern UUIDS = Pattern.compile("(GPU|MIG)-.*");
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");

  /**
   * SLURM_JOB_GPUS has the numbers of the node. With ConstrainDevices those in CUDA_VISIBLE_DEVICES
   * of Slurm's begin at 0 in each job, so that only UUIDs in it say which devices they are.
   */
  public static DeviceClaims of(Map<String, String> variables, DeviceRules rules) {
    String visible = variables.getOrDefault("CUDA_VISIBLE_DEVICES", "");
    String list = visible;
    if (!UUIDS.matcher(visible).lookingAt()) {
      boolean slurms = variables.keySet().stream().anyMatch(each -> each.startsWith("SLURM_"));
      String others = variables.getOrDefault("ROCR_VISIBLE_DEVICES", "");
      list = slurms ? variables.getOrDefault("SLURM_JOB_GPUS", "") : visible + "," + others;
    }
    return new DeviceClaims(
        Stream.of(list.split(",")).flatMap(DeviceClaims::each).distinct().limit(MOST).toList(),
        rules);
  }

  private static Stream<String> each(String text) {
    var range = RANGE.matcher(text);
    if (!range.matches()) {
      return Stream.of(text).filter(it -> UUIDS.matcher(it).matches());
    }
    int first = Integer.parseInt(range.group(1));
    int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
    return Stream.iterate(first, each -> each <= last, each -> each + 1).map(String::valueOf);
  }
}
