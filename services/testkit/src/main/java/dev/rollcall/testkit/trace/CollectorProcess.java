package dev.rollcall.testkit.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A collector for a node of a test cluster, which has a loopback of its own. */
public final class CollectorProcess {
  private static final String SUFFIX = ".otlp";

  private CollectorProcess() {}

  /**
   * Takes traces until it is killed, and leaves what came in a folder.
   *
   * @param arguments the port, and the folder
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    var number = new AtomicInteger();
    // The thread of the server lives on.
    var _ =
        TraceCollector.start(
            Integer.parseInt(arguments[0]),
            request ->
                write(
                    folder,
                    ProcessHandle.current().pid() + "-" + number.incrementAndGet(),
                    request));
    System.out.println("collects");
  }

  /** The command that starts one. */
  public static List<String> command(int port, Path folder) {
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx32m",
        "-cp",
        System.getProperty("java.class.path"),
        CollectorProcess.class.getName(),
        Integer.toString(port),
        folder.toString());
  }

  private static void write(Path folder, String name, byte[] request) {
    try {
      Path fresh = Files.write(folder.resolve(name + ".new"), request);
      Files.move(fresh, folder.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What came to all that have this folder. */
  public static List<ReceivedSpan> spans(Path folder) {
    try (var files = Files.list(folder)) {
      var spans = new ArrayList<ReceivedSpan>();
      for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
        spans.addAll(ReceivedSpan.of(Files.readAllBytes(file)));
      }
      return spans;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
