package dev.rollcall.agent.series.device;

import java.util.OptionalInt;

/**
 * A GPU, or an instance of one, that a job has.
 *
 * @param name of its file, as {@code nvidia0} or {@code renderD128}; else its number in the batch
 *     system; empty if both are unknown
 * @param minor of that file
 * @param uuid of the whole GPU, else of what the batch system names; empty if it is unknown
 * @param gpuInstance the number of the MIG GPU instance, if it is one
 */
public record JobDevice(String name, OptionalInt minor, String uuid, OptionalInt gpuInstance) {
  static JobDevice gpu(String name, int minor, String uuid) {
    return new JobDevice(name, OptionalInt.of(minor), uuid, OptionalInt.empty());
  }

  /** One of which only a number or a UUID is known. */
  static JobDevice unknown(String text) {
    boolean number = Character.isDigit(text.charAt(0));
    return new JobDevice(
        number ? text : "", OptionalInt.empty(), number ? "" : text, OptionalInt.empty());
  }

  JobDevice whole() {
    return new JobDevice(name, minor, uuid, OptionalInt.empty());
  }

  JobDevice instance(int number) {
    return new JobDevice(name, minor, uuid, OptionalInt.of(number));
  }
}
