package dev.rollcall.linux.calls;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import dev.rollcall.linux.bpf.BpfLink;
import dev.rollcall.linux.bpf.BpfProgram;
import dev.rollcall.linux.bpf.Btf;
import dev.rollcall.linux.bpf.RefusedProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The program attached to a cgroup. Program and link are pinned: they stay when this is closed, and
 * the next agent takes them over, without a moment in which calls are missed.
 *
 * @param variant of the program that is attached
 */
record SockOpsHook(ProgramVariant variant, BpfLink link) implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SockOpsHook.class.getName());
  private static final String NAME = "rollcall_calls";

  /** A program that the verifier took. */
  private record Loaded(ProgramVariant variant, BpfProgram program) {}

  /**
   * Attaches, or takes over what is attached.
   *
   * @param variants to try in this order
   * @throws RefusedProgramException of the first variant, if the verifier takes none
   */
  static SockOpsHook attach(
      Path pins,
      CallSourceConfig config,
      CallMaps maps,
      CallLimits limits,
      List<ProgramVariant> variants)
      throws IOException {
    Path cgroup = config.cgroup();
    Loaded loaded = load(maps, limits, variants, config.watchedPorts());
    try (BpfProgram program = loaded.program) {
      Path linkPin = pins.resolve("link");
      Path programPin = pins.resolve("program");
      Optional<BpfLink> pinned = pinnedLink(linkPin, cgroup);
      if (pinned.isPresent()) {
        BpfLink link = pinned.get();
        if (!link.program().equals(program.identity())) {
          link.replace(program);
          Files.deleteIfExists(programPin);
          program.pin(programPin);
          LOG.log(INFO, "replaced the sock_ops program at {0}: {1}", cgroup, loaded.variant);
        }
        return new SockOpsHook(loaded.variant, link);
      }
      BpfLink link = BpfLink.create(program, cgroup);
      Files.deleteIfExists(linkPin); // of another cgroup, and now without use
      link.pin(linkPin);
      Files.deleteIfExists(programPin);
      program.pin(programPin);
      LOG.log(INFO, "attached the sock_ops program to {0}: {1}", cgroup, loaded.variant);
      return new SockOpsHook(loaded.variant, link);
    }
  }

  private static Loaded load(
      CallMaps maps, CallLimits limits, List<ProgramVariant> variants, Set<Integer> watchedPorts)
      throws IOException {
    KernelOffsets offsets = KernelOffsets.read(Btf.OF_KERNEL);
    Optional<RefusedProgramException> first = Optional.empty();
    for (ProgramVariant variant : variants) {
      byte[] code = CallProgram.assemble(maps, offsets, variant, limits, watchedPorts);
      try {
        return new Loaded(
            variant, BpfProgram.load(BpfProgram.Type.SOCK_OPS, NAME, CallProgram.LICENSE, code));
      } catch (RefusedProgramException e) {
        LOG.log(DEBUG, "the verifier refuses {0}: {1}", variant, e.getMessage());
        first = first.or(() -> Optional.of(e));
      }
    }
    throw first.orElseThrow();
  }

  private static Optional<BpfLink> pinnedLink(Path pin, Path cgroup) throws IOException {
    if (Files.notExists(pin)) {
      return Optional.empty();
    }
    BpfLink link = BpfLink.open(pin, BpfProgram.Type.SOCK_OPS);
    if (link.cgroup() == (Long) Files.getAttribute(cgroup, "unix:ino")) {
      return Optional.of(link);
    }
    link.close();
    return Optional.empty();
  }

  @Override
  public void close() {
    link.close();
  }
}
