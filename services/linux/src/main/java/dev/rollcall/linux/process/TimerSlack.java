package dev.rollcall.linux.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * How much later than asked for the kernel may wake a thread, so that the thread wakes when the
 * processor is awake anyway (prctl(2), PR_SET_TIMERSLACK). The file of another thread of this
 * process exists since Linux 4.6 and asks for CAP_SYS_NICE (proc_pid_timerslack_ns(5)).
 */
public final class TimerSlack {
  /**
   * Threads of HotSpot that wake every 5 s, to see whether there is work: each is also woken by
   * work. As the kernel has their names, of 15 bytes.
   */
  static final Set<String> THREADS = Set.of("C1 CompilerThre", "VM Periodic Tas");

  static final Duration SLACK = Duration.ofSeconds(20);

  private TimerSlack() {}

  /**
   * Lets the JVM's own periodic threads wake later.
   *
   * @throws IOException naming the file, if the kernel refuses
   */
  public static void ofJvmThreads() throws IOException {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        if (THREADS.contains(name(task))) {
          // Only the threads' own directories have it, which /proc does not list.
          Path file = Path.of("/proc", task.getFileName().toString(), "timerslack_ns");
          Files.writeString(file, Long.toString(SLACK.toNanos()));
        }
      }
    }
  }

  /** Empty if the thread has ended. */
  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
