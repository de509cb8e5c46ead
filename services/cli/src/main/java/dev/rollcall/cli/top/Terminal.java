package dev.rollcall.cli.top;

import dev.rollcall.cli.ask.TimeLimit;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The terminal of this process, taken for a whole screen and without waiting for the end of a line,
 * until it is closed. It is given back as well when the process is told to end.
 */
final class Terminal implements AutoCloseable {
  /** The size of a frame that no terminal bounds. */
  record Size(int width, int height) {
    static final Size USUAL = new Size(80, 24);
  }

  private static final String BEGIN = "\033[?1049h\033[?25l";
  private static final String HOME = "\033[H";
  private static final String END_OF_LINE = "\033[K";
  private static final String END_OF_SCREEN = "\033[J";
  private static final String RESTORE = "\033[?25h\033[?1049l";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final PrintWriter out;
  private final String settings;
  private final Thread atTheEnd = Thread.ofPlatform().unstarted(this::giveBack);
  private boolean given;

  private Terminal(PrintWriter out, String settings) {
    this.out = out;
    this.settings = settings;
  }

  /**
   * @throws IOException if there is no terminal
   */
  static Terminal take(PrintWriter out) throws IOException {
    var terminal = new Terminal(out, stty("-g"));
    Runtime.getRuntime().addShutdownHook(terminal.atTheEnd);
    var _ = stty("-icanon", "-echo", "min", "1", "time", "0");
    out.print(BEGIN);
    out.flush();
    return terminal;
  }

  void show(List<String> lines) {
    out.print(HOME + String.join(END_OF_LINE + "\r\n", lines) + END_OF_LINE + END_OF_SCREEN);
    out.flush();
  }

  /** As it is now; it may have changed. */
  Size size() throws IOException {
    String[] words = stty("size").split(" ", -1);
    int height = Integer.parseInt(words[0]);
    int width = Integer.parseInt(words[1]);
    return height < 1 || width < 1 ? Size.USUAL : new Size(width, height);
  }

  private static String stty(String... words) throws IOException {
    List<String> command = Stream.concat(Stream.of("stty"), Stream.of(words)).toList();
    var builder = new ProcessBuilder(command).redirectInput(new File("/dev/tty"));
    return TimeLimit.run(builder, PATIENCE).strip();
  }

  private synchronized void giveBack() {
    if (given) {
      return;
    }
    given = true;
    out.print(RESTORE);
    out.flush();
    try {
      var _ = stty(settings);
    } catch (IOException e) {
      // The terminal has gone.
    }
  }

  @Override
  public void close() {
    giveBack();
    try {
      var _ = Runtime.getRuntime().removeShutdownHook(atTheEnd);
    } catch (IllegalStateException ending) {
      // The hook runs, and finds that it is done.
    }
  }
}
