package dev.rollcall.lab.machine;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One machine, from its start to its end: a command runs inside, and the machine goes off. */
public final class Vm {
  private static final String RESULTS_SIZE = "256M";
  private static final int READER_ENDS_WITHIN_SECONDS = 5;

  private final VmImage image;
  private final VmRun run;
  private final Path work;

  private Vm(VmImage image, VmRun run, Path work) {
    this.image = image;
    this.run = run;
    this.work = work;
  }

  /**
   * Starts a machine from an image and returns when it is off. Nothing of it stays but the results.
   *
   * @param output is told the command's output, both streams, line by line as it comes
   * @throws VmException if it did not come up, or not to the command's end within the time
   */
  public static VmResult run(VmImage image, VmRun run, Consumer<String> output) {
    try {
      Path work = Files.createTempDirectory(Path.of("/var/tmp"), "rollcall-vm-");
      try {
        return new Vm(image, run, work).run(output);
      } finally {
        Folders.delete(work);
      }
    } catch (IOException e) {
      throw new VmException("cannot run a machine", e);
    }
  }

  private VmResult run(Consumer<String> output) throws IOException {
    run.payload().write(work.resolve("payload.tar"), run.command(), work);
    Tool.run(
        run.within(),
        List.of("truncate", "-s", RESULTS_SIZE, work.resolve("results.tar").toString()));
    Files.createFile(work.resolve("control"));
    boolean over = boot(output);
    VmResult result =
        new Control(work.resolve("control")).result().orElseThrow(() -> failure(over));
    if (run.results().isPresent()) {
      unpack(run.results().get());
    }
    return result;
  }

  /** Whether the machine went off by itself. */
  private boolean boot(Consumer<String> output) throws IOException {
    var builder =
        new ProcessBuilder(new Qemu(image, run, work).words())
            .redirectInput(new File("/dev/null"))
            .redirectError(work.resolve("qemu").toFile());
    // -snapshot writes there; a temporary folder in memory would be the machine's memory twice.
    builder.environment().put("TMPDIR", work.toString());
    Process qemu = builder.start();
    var atExit = new Thread(() -> end(qemu), "rollcall-vm-end");
    Runtime.getRuntime().addShutdownHook(atExit);
    Thread reader = Thread.ofVirtual().start(() -> read(qemu, output));
    try {
      boolean over = qemu.waitFor(run.within().toSeconds(), TimeUnit.SECONDS);
      qemu.destroyForcibly();
      reader.join(READER_ENDS_WITHIN_SECONDS * 1000L);
      return over;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new VmException("interrupted while a machine runs", e);
    } finally {
      qemu.destroyForcibly();
      forget(atExit);
    }
  }

  private void end(Process qemu) {
    try {
      qemu.destroyForcibly().waitFor(READER_ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Folders.delete(work);
  }

  private static void forget(Thread atExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The end has begun, and does what is to do.
    }
  }

  private static void read(Process qemu, Consumer<String> output) {
    try (var lines =
        new BufferedReader(new InputStreamReader(qemu.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(output);
    } catch (IOException | java.io.UncheckedIOException e) {
      // The machine was ended while it spoke.
    }
  }

  private VmException failure(boolean over) {
    try {
      return new VmException(
          "%s; its console: %s%n%s"
              .formatted(
                  over
                      ? "the machine went off before its command ended"
                      : "the machine was ended after " + run.within().toSeconds() + " s",
                  Tool.tail(work.resolve("console")),
                  Tool.tail(work.resolve("qemu"))));
    } catch (IOException e) {
      return new VmException("the machine left no console", e);
    }
  }

  private void unpack(Path folder) throws IOException {
    Files.createDirectories(folder);
    Tool.run(
        run.within(),
        List.of(
            "tar",
            "xf",
            work.resolve("results.tar").toString(),
            "--no-same-owner",
            "-C",
            folder.toString()));
  }
}
