package dev.rollcall.jobs.container;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NamespaceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes namespaces by the program of services/container. The program writes {@code made PID}, reads
 * {@code go} when they are pinned, writes {@code ready} and ends. With any other status than 0 it
 * leaves nothing. It ends by itself if its input ends.
 */
record NamespaceMaker(MoreNamespaces wanted, Pins pins, SiteScripts scripts) {
  private static final long TO_END_MS = 2_000;

  /**
   * Makes and pins them.
   *
   * @param cgroups in which their process is to be
   * @param moments gets the name of the next step while the program waits
   * @throws IOException with the program's message
   */
  void make(OwnerJob owner, OwnCgroups cgroups, Consumer<String> moments) throws IOException {
    JobId job = owner.job();
    if (wanted.areOwners() && owner.uid() == 0) {
      throw new IOException(
          "root enters no user namespace, so job " + job + " of root cannot have one");
    }
    List<String> command = new ArrayList<>(List.of(wanted.maker().toString(), "create"));
    command.addAll(List.of("--mount", pins.file(job, NamespaceType.MOUNT).toString()));
    command.addAll(List.of("--name", "rollcall:" + job));
    command.addAll(List.of("--timeout-ms", Long.toString(wanted.patienceWithScript().toMillis())));
    wanted.kinds().forEach(kind -> command.add("--" + kind.word()));
    if (wanted.areOwners()) {
      command.addAll(List.of("--owner", uid(owner) + ":" + gid(owner)));
    }
    if (wanted.areOwners() && wanted.userMaps().isPresent()) {
      UserMaps maps = wanted.userMaps().get();
      addRanges(command, "--also-uids", SubordinateRanges.of(owner, maps.subordinateUsers()));
      addRanges(command, "--also-gids", SubordinateRanges.of(owner, maps.subordinateGroups()));
    }
    cgroups.leaves().forEach(file -> command.addAll(List.of("--cgroup-procs", file.toString())));
    if (wanted.kinds().contains(NamespaceType.CGROUP)) {
      cgroups.roots().forEach(file -> command.addAll(List.of("--cgroup-root", file.toString())));
    }
    Process process = new ProcessBuilder(command).start();
    try (BufferedReader says = process.inputReader(StandardCharsets.UTF_8);
        Writer hears = process.outputWriter(StandardCharsets.UTF_8)) {
      long pid = made(says.readLine(), process);
      if (wanted.areOwners()) {
        moments.accept("write the maps");
        map(owner, pid);
      }
      moments.accept("pin the namespaces");
      pin(job, pid);
      if (wanted.areOwners()) {
        moments.accept("pin the copied mounts");
        pinCopiedMounts(job, pid);
        pins.admit(owner);
      }
      moments.accept("let the program go on");
      hears.write("go\n");
      hears.flush();
      String ready = says.readLine();
      if (!"ready".equals(ready)) {
        throw failure(process, ready);
      }
    } finally {
      over(process);
    }
    if (process.exitValue() != 0) {
      throw failure(process, "ready");
    }
  }

  private static void addRanges(List<String> command, String option, List<String> ranges) {
    ranges.forEach(range -> command.addAll(List.of(option, range)));
  }

  private long made(String said, Process process) throws IOException {
    if (said == null || !said.matches("made [1-9][0-9]{0,9}")) {
      throw failure(process, said);
    }
    return Long.parseLong(said.substring("made ".length()));
  }

  /**
   * Maps only the job's own user, because the owner can become every mapped user, or lets the
   * site's script map more. The program checks the maps afterwards.
   */
  private void map(OwnerJob owner, long pid) throws IOException {
    if (wanted.userMaps().isPresent()) {
      runScript(wanted.userMaps().get(), owner, pid);
      return;
    }
    write(pid, "uid_map", uid(owner));
    write(pid, "gid_map", gid(owner));
  }

  private void runScript(UserMaps maps, OwnerJob owner, long pid) throws IOException {
    try {
      scripts.map(maps.script(), owner, pid);
    } catch (IOException e) {
      throw new IOException("user_ns_script: " + e.getMessage(), e);
    }
  }

  private static void write(long pid, String map, String number) throws IOException {
    Files.writeString(
        Path.of("/proc/" + pid, map), number + " " + number + " 1\n", StandardOpenOption.WRITE);
  }

  private static String uid(OwnerJob owner) {
    return Integer.toUnsignedString(owner.uid());
  }

  private static String gid(OwnerJob owner) {
    return Integer.toUnsignedString(owner.gid());
  }

  /** The copy belongs to the user namespace; what it was copied from is of no more use. */
  private void pinCopiedMounts(JobId job, long pid) throws IOException {
    try (Descriptor mounts = Descriptor.open(Path.of("/proc/" + pid + "/ns/mnt"))) {
      pins.replace(job, NamespaceType.MOUNT, mounts);
    }
  }

  private void pin(JobId job, long pid) throws IOException {
    for (NamespaceType kind : wanted.kinds()) {
      try (Descriptor namespace = Descriptor.open(Path.of("/proc/" + pid + "/ns/" + kind.word()))) {
        pins.make(job, kind);
        pins.pin(job, kind, namespace);
      }
    }
  }

  private IOException failure(Process process, String said) throws IOException {
    over(process);
    String words = new String(process.getErrorStream().readNBytes(4_096), StandardCharsets.UTF_8);
    String program = String.valueOf(wanted.maker().getFileName());
    return new IOException(words.isBlank() ? program + " said '" + said + "'" : words.strip());
  }

  /** Kills the process that stays, if there is one; it is in the namespace that is pinned. */
  static void kill(Pins pins, JobId job) throws IOException {
    if (!pins.keeps(job, NamespaceType.PID)) {
      return;
    }
    // One by one: a list of a million processes of users does not fit an agent's heap.
    try (Descriptor pinned = Descriptor.open(pins.file(job, NamespaceType.PID));
        DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      Object wanted = Files.getAttribute(pinned.own(), "unix:ino");
      for (Path each : all) {
        long pid = Long.parseLong(each.getFileName().toString());
        // Found first: what has this pid later is not killed.
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isPresent() && wanted.equals(pidNamespace(pid))) {
          process.get().destroyForcibly();
        }
      }
    }
  }

  private static Object pidNamespace(long pid) {
    try {
      return Files.getAttribute(Path.of("/proc/" + pid + "/ns/pid"), "unix:ino");
    } catch (IOException ended) {
      return 0;
    }
  }

  private static void over(Process process) throws IOException {
    try {
      if (!process.waitFor(TO_END_MS, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor(TO_END_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while namespaces are made", e);
    }
  }
}
