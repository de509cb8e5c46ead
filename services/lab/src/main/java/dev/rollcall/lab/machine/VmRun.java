package dev.rollcall.lab.machine;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The command for a machine.
 *
 * @param command for bash, as root in /root, when the machine is up; result files go to
 *     $ROLLCALL_VM_RESULTS
 * @param within the machine is ended then, whatever it does
 * @param results where the result files are put; empty: nowhere
 * @param ssh a port of this machine's loopback that leads to the machine's port 22
 * @param kernelWords more words for the kernel's command line, parted by blanks
 */
public record VmRun(
    String command,
    VmPayload payload,
    Duration within,
    Optional<Path> results,
    OptionalInt ssh,
    String kernelWords) {
  public VmRun {
    requireNonNull(command, "command");
    requireNonNull(payload, "payload");
    requireNonNull(within, "within");
    requireNonNull(results, "results");
    requireNonNull(ssh, "ssh");
    requireNonNull(kernelWords, "kernelWords");
  }

  public static VmRun of(String command, Duration within) {
    return new VmRun(command, VmPayload.empty(), within, Optional.empty(), OptionalInt.empty(), "");
  }

  public VmRun with(VmPayload more) {
    return new VmRun(command, more, within, results, ssh, kernelWords);
  }

  public VmRun withResults(Path folder) {
    return new VmRun(command, payload, within, Optional.of(folder), ssh, kernelWords);
  }

  public VmRun withSsh(int port) {
    return new VmRun(command, payload, within, results, OptionalInt.of(port), kernelWords);
  }

  public VmRun withKernelWords(String words) {
    return new VmRun(command, payload, within, results, ssh, words);
  }
}
