package dev.rollcall.linux;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads kernel files with parts that users control: names of processes, cgroups and mount points.
 * The kernel keeps line feeds out of these (it writes them as an escape, or refuses the name), but
 * not carriage returns, nor bytes that are not UTF-8 (seen with Linux 6.18). Java's own readers
 * would begin a line of the user's at a carriage return, or fail. Also reads the node's own text
 * files, such as {@code /etc/passwd}, in which a comment or a name may be in another encoding.
 */
public final class KernelText {
  private KernelText() {}

  /** The lines of a file. Bytes that are not UTF-8 become U+FFFD. */
  public static List<String> lines(Path file) throws IOException {
    return lines(new String(Files.readAllBytes(file), UTF_8));
  }

  /** The lines of a text, each without its line feed, which alone ends a line. */
  public static List<String> lines(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split("\n"));
  }
}
